"""The secret key of an installation that was given none: made once, kept beside its data. Not for production."""

import os
import secrets
from pathlib import Path


def local_secret_key(data_dir: Path) -> str:
    """The key in `data_dir`, made when it is missing. Two processes that start at once agree on one."""
    path = data_dir / "secret-key"
    if path.exists() and not path.read_text().strip():
        path.unlink()  # a full disk left it so
    if not path.exists():
        data_dir.mkdir(parents=True, exist_ok=True)
        mine = path.with_name(f"secret-key.{os.getpid()}")
        mine.touch(mode=0o600)
        mine.write_text(secrets.token_urlsafe(50))
        try:
            os.link(mine, path)
        except FileExistsError:
            pass
        finally:
            mine.unlink()
    return path.read_text()
