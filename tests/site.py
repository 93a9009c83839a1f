"""site.py FOLDER: follows every href and src of the site's pages from index.html on. What is linked to has to be there, with the
id behind #; ids stand once a page; no page is left that nothing leads to. Prints what is wrong, and ends with 1 then."""
import os
import sys
from html.parser import HTMLParser
from urllib.parse import unquote, urlsplit


class Page(HTMLParser):
    def __init__(self, path):
        super().__init__()
        self.ids, self.links, self.scripts, self.twice = set(), [], 0, []
        with open(path, encoding="utf-8") as file:
            self.feed(file.read())

    def handle_starttag(self, tag, attrs):
        self.scripts += tag == "script" and not dict(attrs).get("src", "").endswith("man/site.js")  # the search
        for name, value in attrs:
            if name in ("href", "src"):
                self.links.append(value)
            elif name == "id":
                self.twice += [value] if value in self.ids else []
                self.ids.add(value)
            elif name.startswith("on") or (name == "alt" and not value):
                self.twice.append(f"{name}={value}")


root = os.path.abspath(sys.argv[1])
pages, faults, todo, local = {}, [], ["index.html"], 0
while todo:
    path = todo.pop()
    pages[path] = page = Page(os.path.join(root, path))
    faults += [f"{path}: id twice, no alternative text or a script: {name}" for name in page.twice]
    if page.scripts and not path.startswith("try/"):  # the page that converts files
        faults.append(f"{path}: a script")
    for link in page.links:
        target = urlsplit(link)
        if target.scheme or target.netloc:
            if target.scheme != "https":
                faults.append(f"{path}: {link}")
            continue
        local += 1
        found = os.path.normpath(os.path.join(os.path.dirname(path), unquote(target.path))) if target.path else path
        if not os.path.isfile(os.path.join(root, found)):
            faults.append(f"{path}: {link} is not there")
        elif found.endswith(".html") and found not in pages and found not in todo:
            todo.append(found)
for path, page in pages.items():
    for link in page.links:
        target = urlsplit(link)
        if target.fragment and not target.scheme:
            found = os.path.normpath(os.path.join(os.path.dirname(path), unquote(target.path))) if target.path else path
            if found in pages and unquote(target.fragment) not in pages[found].ids:
                faults.append(f"{path}: no id {link}")
for folder, _, names in os.walk(root):
    for name in names:
        path = os.path.relpath(os.path.join(folder, name), root)
        if path.endswith(".html") and path not in pages:
            faults.append(f"{path}: nothing leads there")
print("\n".join(faults) if faults else f"{len(pages)} pages, {local} links within")
sys.exit(bool(faults))
