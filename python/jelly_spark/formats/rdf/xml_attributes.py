"""The attributes that RDF/XML allows in an element (RDF 1.1 XML Syntax, section 7.2)."""

from __future__ import annotations

from collections.abc import Iterable

from jelly_spark.core.malformed_input import Violation
from jelly_spark.formats.rdf.xml_literals import XML_NAMESPACE, XmlName

RDF_NAMESPACE = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"

_ITS_NAMESPACE = "http://www.w3.org/2005/11/its"
# No names of properties, and no attributes (section 5.1).
_NOWHERE = frozenset({"Description", "RDF", "li", "aboutEach", "aboutEachPrefix", "bagID"})
_ELSEWHERE = {
    "node element": frozenset({"resource", "datatype", "parseType"}),
    "property element": frozenset({"about"}),
}
# What can be beside rdf:parseType or rdf:datatype, with the attributes of RDF 1.2.
_BESIDE = frozenset({"ID", "annotation", "annotationNodeID", "version"})


def check_attributes(attributes: Iterable[XmlName], *, is_node: bool) -> None:
    """Check that attributes can be in one element, if the parser would only drop them.

    Args:
        attributes: the names of the attributes.
        is_node: whether the element is a node element; otherwise, it is a property element.

    Raises:
        Violation: RDF/XML does not allow an attribute, or not together with the others.
    """
    kind = "node element" if is_node else "property element"
    others: list[str] = []
    alone = ""
    for uri, local, qualified in attributes:
        if uri in (XML_NAMESPACE, _ITS_NAMESPACE):
            continue
        if uri != RDF_NAMESPACE:
            others.append(qualified)
        elif local in _NOWHERE:
            raise Violation("attributes that RDF/XML allows", f"rdf:{local}")
        elif local in _ELSEWHERE[kind]:
            raise Violation(f"attributes that RDF/XML allows in a {kind}", f"rdf:{local}")
        elif local in ("parseType", "datatype") and not alone:
            alone = local
        elif local not in _BESIDE:
            others.append(f"rdf:{local}")
    if alone and others:
        raise Violation(f"no attribute but rdf:ID beside rdf:{alone}", others[0])
