"""What MkDocs does more for this site: it takes the looks and the scripts of the books that te_forge prints, and makes the list that they search in."""

from __future__ import annotations

import html
import json
import re
from pathlib import Path
from typing import Any

from te_forge.resources import folder

HEADING = re.compile(r'<h([123]) id="([^"]+)">(.*?)</h\1>', re.DOTALL)
IN_LINE = re.compile(r"</?(?:a|code|em|strong)\b[^>]*>")
TAG = re.compile(r"<[^>]+>")
ALIGNED = re.compile(r' style="text-align: (\w+);?"')
SHORT = re.compile(r"<code>([^<\n]{1,16})</code>")
"""Code that is not broken over lines: an option would end in its dashes."""
LONGEST = 160

ROWS: list[list[str]] = []


def on_config(config: Any) -> Any:
    config.theme.dirs.append(str(folder("templates") / "theme"))
    ROWS.clear()
    return config


def on_page_content(content: str, page: Any, **_: object) -> str:
    """Tables that may be wider than the screen are scrolled in a box of their own, and say what their heads are."""
    ROWS.extend(rows(content, page))
    content = ALIGNED.sub(r' class="to-\1"', content).replace("<th>", '<th scope="col">').replace("<th class", '<th scope="col" class')
    content = re.sub(r'<th scope="col"[^>]*></th>', "<td></td>", content)
    content = content.replace("<table>", '<div class="scroll" tabindex="0"><table>').replace("</table>", "</table></div>")
    content = SHORT.sub(r'<code class="short">\1</code>', content)
    return content.replace("<pre>", '<pre tabindex="0">')


def on_post_build(config: Any) -> None:
    found = json.dumps(sorted(ROWS), ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c")
    (Path(config.site_dir) / "js/search-data.js").write_text(f"var TE_SEARCH={found};\n", encoding="utf-8")


def rows(content: str, page: Any) -> list[list[str]]:
    """For each heading of a page: its text, the title of the page, its address, and how it begins."""
    heads = list(HEADING.finditer(content))
    ends = [*(head.start() for head in heads[1:]), len(content)]
    return [
        [
            words(head[3]),
            "page" if head[1] == "1" else page.title,
            f"{page.url}{'' if head[1] == '1' else '#' + head[2]}",
            "",
            cut(words(content[head.end() : end])),
        ]
        for head, end in zip(heads, ends, strict=True)
    ]


def words(content: str) -> str:
    return " ".join(html.unescape(TAG.sub(" ", IN_LINE.sub("", content))).split())


def cut(text: str) -> str:
    return text if len(text) <= LONGEST else text[:LONGEST].rsplit(" ", 1)[0] + " …"
