"""Writes what pages need of boards as static files: `python -m games.scenes`, after a change of styles or maps.

frontend/static/board/board.css, and for each backdrop its picture by day and by night, `<backdrop>-<theme>.svg`. A test
holds the files to what this module would write. Not for scenes of matches: those are drawn when they are asked for.
"""

from pathlib import Path

from games.rules.paris_connection import scene as paris_connection
from games.rules.trans_america import scene as trans_america
from games.rules.trans_america.board import BOARDS
from games.scenes.styles import THEMES, css
from games.scenes.svg import still_svg

FOLDER = Path(__file__).parents[2] / "frontend/static/board"


def files() -> dict[str, str]:
    """The text of every file by its name."""
    texts = {"board.css": css()}
    for scene in (*map(trans_america.empty_scene, BOARDS), paris_connection.empty_scene()):
        for theme in THEMES:
            texts[f"{scene.backdrop}-{theme}.svg"] = still_svg(scene, theme) + "\n"
    return texts


def main() -> None:
    FOLDER.mkdir(parents=True, exist_ok=True)
    for name, text in files().items():
        (FOLDER / name).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
