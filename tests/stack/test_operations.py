"""docs/operations.md tells of every setting that there is, and of no other."""

import re

from config.processes import ROOT


def test_the_table_of_settings_is_true():
    read = re.findall(r'\benv(?:\.\w+)?\(\s*"(\w+)"', (ROOT / "config" / "settings.py").read_text())
    told = re.findall(r"^\| `([A-Z_]+)` \|", (ROOT / "docs" / "operations.md").read_text(), re.MULTILINE)
    assert sorted(told) == sorted(set(read))
