"""Services that read photos in this very process, for tests that are not about the scan process."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from unittest.mock import patch

from tests.ui.conftest import settings_for
from ui.scan_process import ScanAnswer
from ui.scan_worker import Worker
from ui.services import Services


class InlineScan:
    """Stands in for `ui.scan_process.ScanProcess`."""

    pid = None

    def __init__(self, reader: str, models_dir: Path, timeout_s: float) -> None:
        self._worker = Worker(reader, models_dir)

    def ensure_running(self) -> None:
        """It always runs."""

    def read(self, data: bytes, regolamento: str) -> ScanAnswer:
        header, body = self._worker.answer({"regolamento": regolamento}, data)
        if not header["ok"]:
            return ScanAnswer(False, key=header["key"], params=header["params"])
        cut = header["reading_bytes"]
        return ScanAnswer(
            ok=True,
            reading_json=body[:cut].decode(),
            preview_jpeg=body[cut:],
            size_wh=header["size_wh"],
            seconds=header["seconds"],
            stages=header["stages"],
            key=header.get("key", ""),
            params=header.get("params", {}),
        )

    def close(self) -> None:
        """Nothing to end."""


@contextmanager
def inline_services(folder: Path, **changes: object) -> Iterator[Services]:
    """Services on a folder, closed afterwards."""
    with patch("ui.photos.ScanProcess", InlineScan):
        services = Services(settings_for(folder, **changes))
        try:
            yield services
        finally:
            services.close()
