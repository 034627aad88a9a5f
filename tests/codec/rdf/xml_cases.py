"""Small documents of RDF/XML: for each feature of XML, what its statements are.

Each has the prefixes `rdf` and `e`, and describes `<http://x/a>` unless it says otherwise.
"""

from __future__ import annotations

from typing import NamedTuple

RDF = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
PREFIXES = f'xmlns:rdf="{RDF}" xmlns:e="http://x/"'
A, P, Q, B = "<http://x/a>", "<http://x/p>", "<http://x/q>", "<http://x/b>"


class Statement(NamedTuple):
    """A statement that a document has."""

    subject: str
    predicate: str
    object: str


def rdf(content: str, attributes: str = "", before: str = "") -> str:
    return f"{before}<rdf:RDF {PREFIXES} {attributes}>{content}</rdf:RDF>"


def about(content: str, before: str = "", attributes: str = "") -> str:
    """A document with a description of `<http://x/a>`."""
    element = f'<rdf:Description rdf:about="http://x/a" {attributes}>'
    return rdf(f"{element}{content}</rdf:Description>", before=before)


def doctype(subset: str) -> str:
    return f"<!DOCTYPE rdf:RDF [{subset}]>"


def declared(encoding: str) -> str:
    return f"<?xml version='1.0' encoding='{encoding}'?>"


def values(*objects: str) -> list[Statement]:
    return [Statement(A, P, text) for text in objects]


def literal(lexical: str) -> list[Statement]:
    escaped = lexical.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return values(f'"{escaped}"^^<{RDF}XMLLiteral>')


_PARAMETERS = (
    """<!ENTITY % names "<!ENTITY n 'x'>"> %names; <!-- a ]> comment --> <?an instruction?>"""
)

READ: dict[str, tuple[str | bytes, list[Statement]]] = {
    # Entities
    "single-quotes": (
        about("<e:p>&n;</e:p>", doctype("""<!ENTITY n 'say "x"'>""")),
        values('"say \\"x\\""'),
    ),
    "double-quotes": (
        about("<e:p>&n;</e:p>", doctype("""<!ENTITY n "it's">""")),
        values('"it\'s"'),
    ),
    "entities-in-entities": (
        about('<e:p rdf:resource="&n;b"/>', doctype("<!ENTITY m 'x/'><!ENTITY n 'http://&m;'>")),
        values(B),
    ),
    "parameter-entities": (about("<e:p>&n;</e:p>", doctype(_PARAMETERS)), values('"x"')),
    "first-declaration-counts": (
        about("<e:p>&n;</e:p>", doctype("<!ENTITY n '1'><!ENTITY n '2'>")),
        values('"1"'),
    ),
    "elements-in-entities": (
        about("&n;", doctype("<!ENTITY n '<e:p>1</e:p><e:p/>'>")),
        values('"1"', '""'),
    ),
    "characters": (about("<e:p>&lt;&#65;&#x1F600;&amp;amp;</e:p>"), values('"<A\U0001f600&amp;"')),
    "other-declarations": (
        about(
            "<e:p>1</e:p>",
            doctype(
                "<!ELEMENT rdf:RDF ANY><!NOTATION n SYSTEM 'n'><!ENTITY e SYSTEM 'e' NDATA n>"
                "<!ATTLIST e:q a (b|c) 'b'>"
            ),
        ),
        values('"1"'),
    ),
    "parameter-entity-that-is-not-declared": (about("<e:p>1</e:p>", doctype("%q;")), values('"1"')),
    "standalone": (
        about(
            "<e:p>&n;</e:p>", "<?xml version='1.0' standalone='yes'?>" + doctype("<!ENTITY n 'x'>")
        ),
        values('"x"'),
    ),
    # Defaults of attributes
    "default-attributes": (
        about(
            "<e:p>1</e:p>",
            doctype(
                "<!ATTLIST rdf:Description e:q CDATA 'd' xml:lang CDATA 'de'>"
                "<!ATTLIST e:p rdf:datatype CDATA 'http://x/t'>"
            ),
        ),
        [Statement(A, Q, '"d"@de'), Statement(A, P, '"1"^^<http://x/t>')],
    ),
    "default-namespaces": (
        doctype(f"<!ATTLIST rdf:RDF xmlns:rdf CDATA #FIXED '{RDF}' xmlns:e CDATA 'http://x/'>")
        + '<rdf:RDF><rdf:Description rdf:about="http://x/a" e:p="1"/></rdf:RDF>',
        values('"1"'),
    ),
    "attributes-of-a-type": (
        about('<e:p rdf:nodeID="  n  "/>', doctype("<!ATTLIST e:p rdf:nodeID NMTOKEN #IMPLIED>")),
        values("_:n"),
    ),
    # Text and white space
    "comments-in-text": (
        about("<e:p>a<!-- & -->b<?p x?>c<![CDATA[<d>]]>e</e:p>"),
        values('"abc<d>e"'),
    ),
    "comments-elsewhere": (
        f"<?xml version='1.0'?><?p x?><!-- x -->{about('<!-- x --><e:p>1</e:p><?p?>')}<!-- x -->",
        values('"1"'),
    ),
    "ends-of-lines": (about("<e:p>a\r\nb\rc&#13;d</e:p>"), values('"a\\nb\\nc\\rd"')),
    "white-space-in-attributes": (
        about("", attributes='e:p="a\tb\nc\r\nd&#9;&#10;&#13;e"'),
        values('"a b c d\t\\n\\re"'),
    ),
    "white-space": (about("\n <e:p> </e:p>\n<e:p>\n</e:p><e:p/>"), values('" "', '"\\n"', '""')),
    # Languages and bases
    "languages": (
        about(
            '<e:p>1</e:p><e:p xml:lang="">2</e:p><e:p xml:lang="de">3</e:p>',
            attributes='xml:lang="en-x-0"',
        ),
        values('"1"@en-x-0', '"2"', '"3"@de'),
    ),
    "language-of-attributes": (about("", attributes='xml:lang="en" e:p="1"'), values('"1"@en')),
    "language-that-is-not-used": (
        about('<e:p xml:lang="e_n" rdf:resource="http://x/b"/>'),
        values(B),
    ),
    "bases": (
        rdf(
            '<rdf:Description xml:base="w/v" rdf:about="a"><e:p rdf:resource="#f"/>'
            '<e:p xml:base="http://z/" rdf:resource="r"/><e:p rdf:resource="../c"/>'
            "</rdf:Description>"
            '<rdf:Description rdf:about=""><e:p xml:base="" rdf:resource="d"/></rdf:Description>',
            'xml:base="http://y/z#f"',
        ),
        [
            Statement("<http://y/w/a>", P, "<http://y/w/v#f>"),
            Statement("<http://y/w/a>", P, "<http://z/r>"),
            Statement("<http://y/w/a>", P, "<http://y/c>"),
            Statement("<http://y/z>", P, "<http://y/d>"),
        ],
    ),
    "other-xml-attributes": (
        about('<e:p xml:space="preserve" xml:id="i"> 1</e:p>'),
        values('" 1"'),
    ),
    # Encodings
    "byte-order-mark": (b"\xef\xbb\xbf" + about("<e:p>é</e:p>").encode(), values('"é"')),
    **{
        f"encoding-{name}-{codec}": (
            about("<e:p>é</e:p>", declared(name)).encode(codec),
            values('"é"'),
        )
        for name, codec in [
            ("utf-8", "utf-8"),
            ("UTF-16", "utf-16"),
            ("UTF-16", "utf-16-be"),
            ("UTF8", "utf-8"),
            ("latin1", "iso-8859-1"),
            ("UTF-16LE", "utf-16-le"),
            ("ISO-8859-1", "iso-8859-1"),
            ("ISO-8859-15", "iso-8859-15"),
            ("windows-1252", "cp1252"),
            ("GB18030", "gb18030"),
            ("IBM037", "cp037"),
        ]
    },
    "encoding-Shift_JIS": (
        about("<e:p>日本</e:p>", declared("Shift_JIS")).encode("shift_jis"),
        values('"日本"'),
    ),
    "utf-16-by-its-mark": (about("<e:p>é</e:p>").encode("utf-16"), values('"é"')),
    # Namespaces
    "namespace-of-xml": (
        rdf(
            '<e:T rdf:about="http://x/a"><e:p>1</e:p></e:T>',
            'xmlns:xml="http://www.w3.org/XML/1998/namespace"',
        ),
        [Statement(A, f"<{RDF}type>", "<http://x/T>"), *values('"1"')],
    ),
    "namespaces-that-change": (
        about(
            '<e:p xmlns:e="http://y/">1</e:p><e:p>2</e:p><p xmlns="http://x/">3</p><q:p xmlns="" xmlns:q="http://x/">4</q:p>'
        ),
        [Statement(A, "<http://y/p>", '"1"'), *values('"2"', '"3"', '"4"')],
    ),
    "attributes-without-a-prefix": (
        rdf(
            '<rdf:Description about="http://x/a" type="http://x/T"><e:p resource="http://x/b"/></rdf:Description>'
        ),
        [Statement(A, f"<{RDF}type>", "<http://x/T>"), *values(B)],
    ),
    "attributes-without-a-prefix-after-another-prefix-of-rdf": (
        rdf(
            f'<rdf:Description about="http://x/a"><e:p xmlns:r="{RDF}">1</e:p></rdf:Description>'
            '<rdf:Description about="http://x/a"><e:p resource="http://x/b"/></rdf:Description>'
        ),
        [*values('"1"'), *values(B)],
    ),
    "attributes-without-a-prefix-if-rdf-has-none": (
        f'<RDF xmlns="{RDF}" xmlns:e="http://x/"><Description about="http://x/a">'
        '<e:p parseType="Literal">1</e:p><e:p resource="http://x/b"/></Description></RDF>',
        [*literal("1"), *values(B)],
    ),
    # Blank nodes
    "labels": (
        about(
            '<e:p rdf:nodeID="1"/><e:p rdf:nodeID="a.b"/>'
            '<e:p rdf:nodeID="_-c"/><e:p rdf:nodeID="é"/>'
        ),
        values("_:1", "_:a.b", "_:_-c", "_:é"),
    ),
    # XML literals
    "literal": (
        about(
            '<e:p rdf:parseType="Literal"><b xmlns="http://h/">a<!-- c --><?p  x?><?p?>&lt;&gt;'
            '"&#13;'
            "<br/></b> <![CDATA[<x>]]></e:p>"
        ),
        literal(
            '<b xmlns="http://h/">a<!-- c --><?p x?><?p?>&lt;&gt;"&#xD;<br></br></b> &lt;x&gt;'
        ),
    ),
    "literal-with-attributes": (
        about(
            '<e:p rdf:parseType="Literal"><e:q e:z="1" xml:lang="EN" b="&#9;&#10;&lt;>&quot;" '
            'a="1" rdf:c=""/></e:p>'
        ),
        literal(
            f'<e:q xmlns:e="http://x/" xmlns:rdf="{RDF}" a="1" b="&#x9;&#xA;&lt;>&quot;" '
            'rdf:c="" xml:lang="EN" e:z="1"></e:q>'
        ),
    ),
    "literal-with-namespaces": (
        about(
            '<e:p rdf:parseType="Literal"><a xmlns="http://h/"><b xmlns=""><c/></b>'
            "<e:d><e:e/></e:d></a>"
            '<u:f xmlns:u="http://u/" xmlns:v="http://v/"/></e:p>'
        ),
        literal(
            '<a xmlns="http://h/"><b xmlns=""><c></c></b><e:d xmlns:e="http://x/"><e:e></e:e></e:d></a>'
            '<u:f xmlns:u="http://u/"></u:f>'
        ),
    ),
    "literal-with-entities": (
        about('<e:p rdf:parseType="Literal">&n;</e:p>', doctype("<!ENTITY n '<b>1</b>&#38;amp;'>")),
        literal("<b>1</b>&amp;"),
    ),
    "literal-in-lower-case": (
        about('<e:p rdf:parseType="literal">1<b/></e:p>'),
        literal("1<b></b>"),
    ),
    "empty-literal": (about('<e:p rdf:parseType="Literal"/>'), literal("")),
}
"""Documents and their statements, by names for them."""


def large() -> tuple[str, list[Statement]]:
    """A document with more references, levels, attributes and letters than XML parsers may read."""
    references = "&amp;&lt;" * 130000 + "&o;" * 70000
    text = f'"{"&<" * 130000}{"http://www.w3.org/2002/07/owl#" * 70000}"'
    attributes = "".join(f' e:p{n}="1"' for n in range(10001))
    name = "n" * 1001
    levels = '<rdf:Description rdf:about="http://x/a"><e:p>' * 60
    document = rdf(
        f'<rdf:Description rdf:about="http://x/a"{attributes}/>'
        f'<rdf:Description rdf:about="http://x/a"><e:p>{references}</e:p><e:{name}/>'
        f"</rdf:Description>{levels}{'</e:p></rdf:Description>' * 60}",
        before=doctype("<!ENTITY o 'http://www.w3.org/2002/07/owl#'>"),
    )
    rows = [Statement(A, f"<http://x/p{n}>", '"1"') for n in range(10001)]
    rows += [
        *values(text),
        Statement(A, f"<http://x/{name}>", '""'),
        *values(*[A] * 59),
        *values('""'),
    ]
    return document, rows


_EXTERNAL = "XML with its entities in the file, because they are not fetched"
_ROBOT = "convert it to RDF first, for example with `robot convert --input FILE --output FILE.ttl`"
_MULTIPLY = "XML whose entities do not multiply its size"


def _multiplied(kind: str, first: str, reference: str) -> str:
    names = [f"<!ENTITY {kind}e0 '{first}'>"]
    names += [
        f"<!ENTITY {kind}e{n} '{reference.replace('N', str(n - 1)) * 10}'>" for n in range(1, 10)
    ]
    return "".join(names)


MALFORMED: dict[str, tuple[str | bytes, str]] = {
    "external-dtd": (about("", "<!DOCTYPE rdf:RDF SYSTEM 'x'>"), _EXTERNAL),
    "public-dtd": (about("", "<!DOCTYPE rdf:RDF PUBLIC 'x' 'x'>"), _EXTERNAL),
    "external-entity": (about("", doctype("<!ENTITY n SYSTEM 'file:///etc/passwd'>")), _EXTERNAL),
    "external-parameter-entity": (about("", doctype("<!ENTITY % n SYSTEM 'x'> %n;")), _EXTERNAL),
    "external-entity-in-an-entity": (
        about("", doctype("""<!ENTITY % q "<!ENTITY n SYSTEM 'x'>"> %q;""")),
        _EXTERNAL,
    ),
    "unknown-entity": (about("<e:p>&n;</e:p>"), "line 1, column "),
    "unknown-entity-after-a-parameter-entity": (
        about("<e:p>&n;</e:p>", doctype("%q;")),
        "line 1, column ",
    ),
    "entity-in-itself": (
        about("<e:p>&n;</e:p>", doctype("<!ENTITY n '&m;'><!ENTITY m '&n;'>")),
        "line 1, column ",
    ),
    "bomb": (about("<e:p>&e9;</e:p>", doctype(_multiplied("", "0123456789", "&eN;"))), _MULTIPLY),
    "bomb-in-an-attribute": (
        about('<e:p rdf:resource="&e9;"/>', doctype(_multiplied("", "0123456789", "&eN;"))),
        _MULTIPLY,
    ),
    "long-bomb": (
        about(f"<e:p>{'&n;' * 1000}</e:p>", doctype(f"<!ENTITY n '{'x' * 100000}'>")),
        _MULTIPLY,
    ),
    "bomb-of-parameter-entities": (
        about("", doctype(_multiplied("% ", "<!-- -->", "&#37;eN;") + "%e9;")),
        _MULTIPLY,
    ),
    "bomb-of-defaults": (
        about("<e:p/>" * 1000, doctype(f"<!ATTLIST e:p e:q CDATA '{'x' * 100000}'>")),
        _MULTIPLY,
    ),
    "chain-of-entities": (
        about(
            "<e:p>&e5000;</e:p>",
            doctype(
                "<!ENTITY e0 ''>" + "".join(f"<!ENTITY e{n} '&e{n - 1};'>" for n in range(1, 5001))
            ),
        ),
        "XML with at most 5000 entities",
    ),
    "deep": (
        f"<e:a {PREFIXES}>" + "<e:a>" * 1000,
        "elements nested at most 1000 deep, found deeper ones",
    ),
    "cut-off": (about("<e:p/>")[:-10], "line 1, column "),
    "second-line": (about("\n<e:p>&n;</e:p>"), "line 2, column "),
    "unknown-encoding": (
        about("", declared("UTF-9")),
        "XML in a known encoding, found the encoding UTF-9",
    ),
    "other-bytes": (about("<e:p>é</e:p>").encode("iso-8859-1"), "line 1, column "),
    "no-ascii": (about("<e:p>é</e:p>", declared("US-ASCII")), "line 1, column "),
    "prefix-without-a-namespace": (about("<q:p/>"), "line 1, column "),
    "element-without-a-namespace": (about("<p/>"), "line 1, column "),
    "attribute-without-a-namespace": (about("<e:p/>", attributes='q="1"'), "line 1, column "),
    "attribute-twice": (about('<e:p xmlns:f="http://x/" e:q="1" f:q="2"/>'), "line 1, column "),
    "label-with-a-colon": (
        about('<e:p rdf:nodeID="a:b"/>'),
        "a valid blank node label, found 'a:b'",
    ),
    "label-with-a-dot": (about('<e:p rdf:nodeID="a."/>'), "a valid blank node label, found 'a.'"),
    "language": (about('<e:p xml:lang="en_US">1</e:p>'), "a language tag"),
    "parse-type": (about('<e:p rdf:parseType="Triple"/>'), "line 1, column "),
    "bag": (about("<e:p>1</e:p>", attributes='rdf:bagID="b"'), "line 1, column "),
    **{
        f"attributes-{number}": (about(element), "line 1, column ")
        for number, element in enumerate(
            [
                '<e:p rdf:parseType="Resource" e:q="1"/>',
                '<e:p rdf:parseType="Resource" rdf:nodeID="n"/>',
                '<e:p rdf:parseType="Literal" rdf:resource="http://x/b"/>',
                '<e:p rdf:parseType="Literal" rdf:type="http://x/T">1</e:p>',
                '<e:p rdf:parseType="Collection" rdf:nodeID="n"/>',
                '<e:p rdf:datatype="http://x/t" rdf:resource="http://x/b"/>',
                '<e:p rdf:datatype="http://x/t" rdf:nodeID="n"/>',
                '<e:p rdf:Description="1"/>',
                '<e:p rdf:li="1"/>',
            ]
        )
    },
    # No RDF/XML at all
    "functional-syntax": (
        "Prefix(:=<http://x/>)\nOntology(<http://x/>)",
        f"this looks like OWL functional syntax: {_ROBOT}",
    ),
    "manchester-syntax": (
        "# x\nPrefix: e: <http://x/>\nOntology: <http://x/>",
        f"this looks like OWL in Manchester syntax: {_ROBOT}",
    ),
    "obo": ("! x\nformat-version: 1.2\n", f"this looks like an OBO file: {_ROBOT}"),
    "owl-xml": (
        "<?xml version='1.0'?>\n<!-- x -->\n"
        "<Ontology xmlns='http://www.w3.org/2002/07/owl#' ontologyIRI='http://x/'/>",
        f"this looks like OWL/XML: {_ROBOT}",
    ),
    "owl-xml-with-a-dtd": (
        "<!DOCTYPE Ontology [<!ENTITY n 'x'>]>\n<Ontology/>",
        f"this looks like OWL/XML: {_ROBOT}",
    ),
    "xhtml": (
        "<?xml version='1.0'?><!DOCTYPE html PUBLIC 'x' 'x'>",
        "this looks like an HTML page: download the data, not the page about it",
    ),
    "git-lfs": (
        "version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n",
        "this looks like a Git LFS pointer in place of the file: fetch the file with `git lfs",
    ),
    "zip": (
        b"PK\x03\x04\x14\0",
        "this looks like a zip archive: unpack it first, for example with",
    ),
    "7z": (b"7z\xbc\xaf\x27\x1c\0", "this looks like a 7z archive: unpack it first, for example"),
    "tar": (
        b"a.owl".ljust(257, b"\0") + b"ustar\0",
        "this looks like a tar archive: unpack it first, for example with `tar xf FILE`",
    ),
    "gzip": (b"\x1f\x8b\x08\0", "gzip: give the file the extension .gz, or decompress it first"),
    "json": (
        '{"@id": "x"}',
        "this looks like JSON: if it is JSON-LD, read it with the format rdf and the syntax jsonld",
    ),
}
"""Documents that are errors, and words of the message, by names for them."""


def as_bytes(document: str | bytes) -> bytes:
    return document.encode() if isinstance(document, str) else document
