"""What the site changes in the documents before it shows them, for `cargo xtask book`.

Links to sources lead to the repository, `internals.md` is ARCHITECTURE.md, and code blocks have only the language in their first line.
"""

import pathlib
import re

ROOT = pathlib.Path(__file__).resolve().parents[1]


def on_page_markdown(markdown, page, config, files):
    if page.file.src_uri == "internals.md":
        markdown = (ROOT / "ARCHITECTURE.md").read_text()
        # Written for the root of the repository: documents are beside the page here, everything else is above it.
        markdown = re.sub(r"\]\((?!#|\w+:)", "](../", markdown).replace("](../docs/", "](")
    pages = set(files.src_uris)
    return re.sub(r"\]\(\.\./([^)#\s]+)(#[^)\s]*)?\)", lambda link: _link(link, config, pages), _plain_fences(markdown))


def _link(link, config, pages):
    path, part = link.group(1), link.group(2) or ""
    if path == "ARCHITECTURE.md" and "internals.md" in pages:
        return f"](internals.md{part})"
    target = ROOT / path
    if not target.exists():
        # Left as it is, for the strict build to refuse.
        return link.group(0)
    return f"]({config['repo_url']}/{'tree' if target.is_dir() else 'blob'}/main/{path}{part})"


def _plain_fences(markdown):
    """Rust's own words in the first line of a block, such as `rust,no_run`, are none of Markdown's."""
    return re.sub(r"^```rust,\w+$", "```rust", markdown, flags=re.MULTILINE)
