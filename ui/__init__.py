"""The program people use: dashboard, API and command line on one set of services."""
