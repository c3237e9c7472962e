"""What docs/api.md tells a newcomer to type works as it stands there."""

import re
import subprocess
from pathlib import Path

import pytest

from config.processes import ROOT


def test_the_script_of_the_page_plays_a_whole_match_with_curl(embedded_site, tmp_path):
    page = Path(ROOT, "docs", "api.md").read_text()
    script = re.search(r"```bash\n(.*?)```", page, re.DOTALL)
    assert script is not None
    file = tmp_path / "play.sh"
    file.write_text(script[1])
    played = subprocess.run(
        ["bash", "-eu", str(file)],
        env={"SITE": embedded_site, "PATH": "/usr/bin:/bin:/usr/local/bin"},
        capture_output=True,
        text=True,
        timeout=240,
    )
    assert played.returncode == 0, played.stderr
    ranks = [line for line in played.stdout.splitlines() if re.match(r"\d\. \w+: -?\d+$", line)]
    assert len(ranks) == 3
    assert "Ann laid" in played.stdout


def test_every_code_of_a_refusal_is_on_the_page():
    from games import refusals

    page = Path(ROOT, "docs", "api.md").read_text()
    pages_only = {"bad-pace", "bad-access", "bad-level", "no-opponent-there"}
    missing = {code for code in refusals._sentences() if f"`{code}`" not in page} - pages_only
    assert missing == set()


@pytest.mark.browser
def test_the_readable_page_of_the_schema_can_be_read(new_page):
    page = new_page()
    page.goto("/api/v1/docs/")
    page.get_by_text("/api/v1/matches/{key}/turns/").first.click()
    page.get_by_text("Takes your turn.").first.wait_for()
