"""Who may import whom: the table of rooms, checked on the source and by starting the program."""

from __future__ import annotations

import ast
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
ROOMS = ("scoring", "vision", "ui", "models", "datasets")
STDLIB = set(sys.stdlib_module_names) | {"__future__"}

STORE = {"sqlalchemy", "alembic"}
SEEING = {"numpy", "cv2", "PIL", "pillow_heif", "onnxruntime"}
TRAINING = {"torch", "torchvision", "ultralytics", "onnx", "onnxslim", "matplotlib", "yaml"}

# Rooms and outside packages each room may import at the top of a module.
MAY_IMPORT: dict[str, set[str]] = {
    "scoring": {"scoring"},
    "scoring/store": {"scoring"} | STORE,
    "vision": {"vision", "scoring"} | SEEING | {"scipy"},
    "datasets": {"datasets", "scoring", "numpy", "cv2", "PIL"},
    "models": {"models", "datasets", "vision", "scoring", "numpy", "cv2", "PIL", "onnxruntime"} | TRAINING,
}
# What the adapters and sub-commands may import inside a function only.
INSIDE_ONLY: dict[str, set[str]] = {"vision": {"openvino", "ultralytics"}, "datasets": {"vision"}, "models": set()}


def _room_of(path: Path) -> str:
    relative = path.relative_to(ROOT)
    return "scoring/store" if relative.parts[:2] == ("scoring", "store") else relative.parts[0]


def _imports(tree: ast.AST) -> list[tuple[str, bool]]:
    """Every imported module with whether that happens inside a function (or for the type checker only)."""
    found: list[tuple[str, bool]] = []

    def visit(node: ast.AST, inside: bool) -> None:
        if isinstance(node, ast.Import):
            found.extend((alias.name, inside) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "imports are absolute"
            found.append((node.module or "", inside))
        checker_only = isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test)
        deeper = inside or checker_only or isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        for child in ast.iter_child_nodes(node):
            visit(child, deeper)

    visit(tree, False)
    return found


def _modules() -> list[Path]:
    return [path for room in ROOMS for path in sorted((ROOT / room).rglob("*.py")) if "runs" not in path.parts]


@pytest.mark.parametrize("path", _modules(), ids=lambda path: str(path.relative_to(ROOT)))
def test_a_module_imports_only_what_its_room_may(path: Path) -> None:
    room = _room_of(path)
    for name, inside in _imports(ast.parse(path.read_text(encoding="utf-8"))):
        top = name.partition(".")[0]
        assert top != "ui" or room == "ui", f"nobody imports ui, but {path} does"
        if name.startswith("scoring.store"):
            assert room in ("scoring/store", "ui"), f"{path} reaches into the ledger"
        if room == "ui":
            heavy = top in TRAINING or top in ("datasets", "models")
            assert not heavy or inside, f"{path} imports {name} outside the sub-command that needs it"
            continue
        allowed = MAY_IMPORT[room] | STDLIB | (INSIDE_ONLY.get(room, set()) if inside else set())
        assert top in allowed, f"{path} imports {name}"


BLOCKED = """
import sys
class Wall:
    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] in {"torch", "torchvision", "ultralytics", "datasets", "models"}:
            raise ImportError(f"{name} must not be needed here")
sys.meta_path.insert(0, Wall())
"""


def _run(code: str, tmp_path: Path) -> subprocess.CompletedProcess[str]:
    env = {**os.environ, "PYTHONPATH": str(ROOT), "BURRACO_DATA": str(tmp_path)}
    return subprocess.run(
        [sys.executable, "-c", BLOCKED + code], capture_output=True, text=True, env=env, cwd=tmp_path, timeout=240
    )


def test_serve_starts_without_what_only_training_needs(tmp_path: Path) -> None:
    code = """
from ui.app import build_app
from ui.services import close_services, get_services
build_app()
get_services().regolamenti()
close_services()
import ui.scan_worker, vision.line
print("started")
"""
    result = _run(code, tmp_path)
    assert result.stdout.strip() == "started", result.stderr


def test_scan_starts_without_what_only_training_needs_and_without_the_server(tmp_path: Path) -> None:
    photo = tmp_path / "no.jpg"
    photo.write_bytes(b"no picture")
    code = f"""
from ui.cli import main
import vision.line
status = main(["scan", {str(photo)!r}])
print(status, sorted(m for m in ("streamlit", "fastapi", "sqlalchemy") if m in sys.modules))
"""
    result = _run(code, tmp_path)
    assert result.stdout.strip() == "2 []", result.stderr
