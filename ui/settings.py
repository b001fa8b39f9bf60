"""Settings of a running program: defaults, then the environment, then the command line; checked when made."""

from __future__ import annotations

import ipaddress
import os
from dataclasses import dataclass, field
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from ui.viewmodels import Message

ROOT = Path(__file__).resolve().parent.parent
"""The folder that holds the packages."""

SOURCE_URL = "/api/source"
LICENCE = "AGPL-3.0-only"

_TRUE = {"1", "true", "yes", "on", "si", "sì"}


class SettingsError(ValueError):
    """A setting that cannot be used; `message` says which and what is expected."""

    def __init__(self, message: Message) -> None:
        super().__init__(message.key)
        self.message = message


def program_version() -> str:
    """The version that is installed."""
    try:
        return version("burraco")
    except PackageNotFoundError:
        return "unknown"


def is_loopback(host: str) -> bool:
    """Tell whether a server bound to this name or address is reached from this machine only."""
    try:
        return host == "localhost" or ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def default_data_dir() -> Path:
    """The folder for matches and photos: what BURRACO_DATA says, else the user's data folder as the system names it."""
    import platformdirs

    wanted = os.environ.get("BURRACO_DATA")
    folder = Path(wanted) if wanted else Path(platformdirs.user_data_dir("burraco", appauthor=False))
    return folder.expanduser().absolute()


@dataclass(frozen=True, slots=True)
class Settings:
    """What `burraco serve` runs with.

    `database_url` names a PostgreSQL database instead of the file in `data_dir`; photos then lie in it, or in
    `photos_dir`, which all servers on it share.

    `reader` names the maker of the table reader in the scan process as `module:function`; it gets `models_dir`.
    `live_reader` does so in the live process; `live_source` is the camera that is watched from the start, by the preset
    `live_regolamento` until a match is opened.
    `lan` says that other machines can reach the server, which then asks each to pair; `names` are further names it
    is known by, such as one that a router gives it. `https` speaks HTTPS with a certificate of the machine's own, for
    what browsers allow there only.
    """

    data_dir: Path = field(default_factory=default_data_dir)
    database_url: str = ""
    photos_dir: Path | None = None
    models_dir: Path = ROOT / "models"
    reader: str = "ui.scan_worker:table_reader"
    live_reader: str = "ui.live_worker:live_table"
    live_source: str = ""
    live_regolamento: str = ""
    demo: bool = False
    host: str = "127.0.0.1"
    port: int = 8501
    lan: bool = False
    https: bool = False
    names: tuple[str, ...] = ()
    max_upload_bytes: int = 32 * 1024 * 1024
    queue_limit: int = 16
    scan_timeout_s: float = 60.0

    def __post_init__(self) -> None:
        if not is_loopback(self.host):
            object.__setattr__(self, "lan", True)  # no address but this machine's own goes without pairing
        if not 0 < self.port < 65536:
            raise SettingsError(Message("settings.port", {"value": self.port}))
        for reader in (self.reader, self.live_reader):
            if not all(reader.partition(":")):
                raise SettingsError(Message("settings.reader", {"value": reader[:80]}))
        if self.max_upload_bytes <= 0 or self.queue_limit <= 0:
            raise ValueError("the upload limit and the queue limit must be positive")


def from_environment() -> Settings:
    """Settings with what the environment says.

    BURRACO_DATA, _DB, _PHOTOS, _MODELS, _READER, _LIVE, _LIVE_READER, _LIVE_REGOLAMENTO, _DEMO, _HOST, _PORT, _LAN,
    _HTTPS, _NAMES. Raises SettingsError.
    """
    env, known = os.environ, Settings()
    lan = env.get("BURRACO_LAN", "").lower() in _TRUE
    return Settings(
        database_url=env.get("BURRACO_DB", ""),
        photos_dir=Path(env["BURRACO_PHOTOS"]).expanduser().absolute() if env.get("BURRACO_PHOTOS") else None,
        models_dir=Path(env.get("BURRACO_MODELS", known.models_dir)).expanduser().absolute(),
        reader=env.get("BURRACO_READER", known.reader),
        live_reader=env.get("BURRACO_LIVE_READER", known.live_reader),
        live_source=env.get("BURRACO_LIVE", ""),
        live_regolamento=env.get("BURRACO_LIVE_REGOLAMENTO", ""),
        demo=env.get("BURRACO_DEMO", "").lower() in _TRUE,
        host=env.get("BURRACO_HOST", "0.0.0.0" if lan else known.host),
        port=_port(env.get("BURRACO_PORT", known.port)),
        lan=lan,
        https=env.get("BURRACO_HTTPS", "").lower() in _TRUE,
        names=tuple(env.get("BURRACO_NAMES", "").split()),
    )


def _port(value: str | int) -> int:
    try:
        return int(value)
    except ValueError as error:
        raise SettingsError(Message("settings.port", {"value": str(value)[:40]})) from error


@cache
def get_settings() -> Settings:
    """The settings of this process, read once; `burraco serve` puts its options into the environment first."""
    return from_environment()
