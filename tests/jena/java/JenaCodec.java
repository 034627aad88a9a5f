import java.io.BufferedReader;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Base64;

import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonNull;
import com.google.gson.JsonObject;
import org.apache.jena.graph.Node;
import org.apache.jena.graph.NodeFactory;
import org.apache.jena.graph.Triple;
import org.apache.jena.rdfpatch.RDFChanges;
import org.apache.jena.rdfpatch.binary.RDFChangesWriterBinary;
import org.apache.jena.rdfpatch.binary.RDFPatchReaderBinary;
import org.apache.jena.rdfpatch.changes.RDFChangesBase;
import org.apache.jena.rdfpatch.text.RDFChangesWriterText;
import org.apache.jena.rdfpatch.text.RDFPatchReaderText;
import org.apache.jena.riot.Lang;
import org.apache.jena.riot.RDFParser;
import org.apache.jena.riot.lang.LabelToNode;
import org.apache.jena.riot.system.StreamRDF;
import org.apache.jena.riot.system.StreamRDFBase;
import org.apache.jena.riot.system.StreamRDFWriter;
import org.apache.jena.sparql.core.Quad;

/**
 * Reads and writes files with Jena for the tests. A request is a line of JSON, and so is its
 * answer:
 *
 * <pre>
 * {"read": FORMAT, "data": BASE64}  gives {"rows": ROWS} or {"error": MESSAGE}
 * {"write": FORMAT, "rows": ROWS}   gives {"data": BASE64} or {"error": MESSAGE}
 * </pre>
 *
 * A row of a patch is {@code [OP, SUBJECT, PREDICATE, OBJECT, GRAPH, NAME, VALUE]}, and one of
 * N-Triples or N-Quads {@code [SUBJECT, PREDICATE, OBJECT, GRAPH]}. A term is {@code ["iri", IRI]},
 * {@code ["bnode", LABEL]}, {@code ["literal", LEXICAL FORM, LANGUAGE, DIRECTION, DATATYPE]} or
 * {@code ["triple", SUBJECT, PREDICATE, OBJECT]}. What is absent is null, as is the default graph.
 */
public final class JenaCodec {
    private static final Gson GSON = new GsonBuilder().serializeNulls().create();

    public static void main(String[] args) throws IOException {
        var requests = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        var answers = new PrintStream(System.out, true, StandardCharsets.UTF_8);
        System.setOut(System.err); // Jena's own output is not an answer.
        for (String line; (line = requests.readLine()) != null; ) {
            answers.println(GSON.toJson(answer(GSON.fromJson(line, JsonObject.class))));
        }
    }

    private static JsonObject answer(JsonObject request) {
        var answer = new JsonObject();
        try {
            if (request.has("read")) {
                byte[] data = Base64.getDecoder().decode(request.get("data").getAsString());
                answer.add("rows", read(request.get("read").getAsString(), data));
            } else {
                byte[] data = write(request.get("write").getAsString(), request.getAsJsonArray("rows"));
                answer.addProperty("data", Base64.getEncoder().encodeToString(data));
            }
        } catch (Exception error) {
            answer.addProperty("error", error.toString());
        }
        return answer;
    }

    private static JsonArray read(String format, byte[] data) {
        var rows = new JsonArray();
        var in = new ByteArrayInputStream(data);
        switch (format) {
            case "rdf_patch" -> new RDFPatchReaderText(in).apply(new PatchRows(rows));
            case "rdf_patch_thrift" -> RDFPatchReaderBinary.read(in, new PatchRows(rows));
            default -> RDFParser.source(in)
                .lang(lang(format))
                .labelToNode(LabelToNode.createUseLabelAsGiven())
                .parse(new StatementRows(rows));
        }
        return rows;
    }

    private static byte[] write(String format, JsonArray rows) {
        var out = new ByteArrayOutputStream();
        switch (format) {
            case "rdf_patch" -> {
                var changes = RDFChangesWriterText.create(out);
                changes.start();
                rows.forEach(row -> change(row.getAsJsonArray(), changes));
                changes.finish();
            }
            case "rdf_patch_thrift" -> RDFChangesWriterBinary.writeBinary(
                out, changes -> rows.forEach(row -> change(row.getAsJsonArray(), changes)));
            default -> {
                StreamRDF statements = StreamRDFWriter.getWriterStream(out, lang(format));
                statements.start();
                rows.forEach(row -> statement(row.getAsJsonArray(), statements));
                statements.finish();
            }
        }
        return out.toByteArray();
    }

    private static Lang lang(String format) {
        return switch (format) {
            case "ntriples" -> Lang.NTRIPLES;
            case "nquads" -> Lang.NQUADS;
            default -> throw new IllegalArgumentException("unknown format " + format);
        };
    }

    private static void change(JsonArray row, RDFChanges changes) {
        Node subject = node(row.get(1));
        Node predicate = node(row.get(2));
        Node object = node(row.get(3));
        Node graph = node(row.get(4));
        String name = text(row.get(5));
        Node value = node(row.get(6));
        switch (row.get(0).getAsString()) {
            case "H" -> changes.header(name, value);
            case "TX" -> changes.txnBegin();
            case "TC" -> changes.txnCommit();
            case "TA" -> changes.txnAbort();
            case "PA" -> changes.addPrefix(graph, name, value.getURI());
            case "PD" -> changes.deletePrefix(graph, name);
            case "A" -> changes.add(graph, subject, predicate, object);
            case "D" -> changes.delete(graph, subject, predicate, object);
            case "END" -> changes.segment();
            default -> throw new IllegalArgumentException("unknown row " + row);
        }
    }

    private static void statement(JsonArray row, StreamRDF statements) {
        var triple = Triple.create(node(row.get(0)), node(row.get(1)), node(row.get(2)));
        Node graph = node(row.get(3));
        if (graph == null) {
            statements.triple(triple);
        } else {
            statements.quad(Quad.create(graph, triple));
        }
    }

    private static Node node(JsonElement json) {
        if (json.isJsonNull()) {
            return null;
        }
        JsonArray term = json.getAsJsonArray();
        return switch (term.get(0).getAsString()) {
            case "iri" -> NodeFactory.createURI(term.get(1).getAsString());
            case "bnode" -> NodeFactory.createBlankNode(term.get(1).getAsString());
            case "literal" -> literal(term);
            case "triple" ->
                NodeFactory.createTripleTerm(node(term.get(1)), node(term.get(2)), node(term.get(3)));
            default -> throw new IllegalArgumentException("unknown term " + term);
        };
    }

    private static Node literal(JsonArray term) {
        String lexical = term.get(1).getAsString();
        String language = text(term.get(2));
        String direction = text(term.get(3));
        if (direction != null) {
            return NodeFactory.createLiteralDirLang(lexical, language, direction);
        }
        if (language != null) {
            return NodeFactory.createLiteralLang(lexical, language);
        }
        return NodeFactory.createLiteralDT(lexical, NodeFactory.getType(text(term.get(4))));
    }

    private static String text(JsonElement json) {
        return json.isJsonNull() ? null : json.getAsString();
    }

    private static JsonElement json(Node node) {
        if (node == null) {
            return JsonNull.INSTANCE;
        }
        if (node.isURI()) {
            return array("iri", node.getURI());
        }
        if (node.isBlank()) {
            return array("bnode", node.getBlankNodeLabel());
        }
        if (node.isTripleTerm()) {
            Triple triple = node.getTriple();
            JsonArray term = array("triple");
            term.add(json(triple.getSubject()));
            term.add(json(triple.getPredicate()));
            term.add(json(triple.getObject()));
            return term;
        }
        String language = node.getLiteralLanguage().isEmpty() ? null : node.getLiteralLanguage();
        var direction = node.getLiteralBaseDirection();
        return array(
            "literal",
            node.getLiteralLexicalForm(),
            language,
            direction == null ? null : direction.direction(),
            node.getLiteralDatatypeURI());
    }

    private static JsonArray array(String... items) {
        var array = new JsonArray();
        for (String item : items) {
            array.add(item);
        }
        return array;
    }

    /** Makes the rows of a patch. */
    private static final class PatchRows extends RDFChangesBase {
        private final JsonArray rows;

        PatchRows(JsonArray rows) {
            this.rows = rows;
        }

        private void add(String op, Node s, Node p, Node o, Node g, String name, Node value) {
            JsonArray row = array(op);
            for (Node node : new Node[] {s, p, o, g}) {
                row.add(json(node));
            }
            row.add(name);
            row.add(json(value));
            rows.add(row);
        }

        private void add(String op) {
            add(op, null, null, null, null, null, null);
        }

        @Override
        public void header(String name, Node value) {
            add("H", null, null, null, null, name, value);
        }

        @Override
        public void add(Node g, Node s, Node p, Node o) {
            add("A", s, p, o, g, null, null);
        }

        @Override
        public void delete(Node g, Node s, Node p, Node o) {
            add("D", s, p, o, g, null, null);
        }

        @Override
        public void addPrefix(Node g, String name, String iri) {
            add("PA", null, null, null, g, name, NodeFactory.createURI(iri));
        }

        @Override
        public void deletePrefix(Node g, String name) {
            add("PD", null, null, null, g, name, null);
        }

        @Override
        public void txnBegin() {
            add("TX");
        }

        @Override
        public void txnCommit() {
            add("TC");
        }

        @Override
        public void txnAbort() {
            add("TA");
        }

        @Override
        public void segment() {
            add("END");
        }
    }

    /** Makes rows of statements. */
    private static final class StatementRows extends StreamRDFBase {
        private final JsonArray rows;

        StatementRows(JsonArray rows) {
            this.rows = rows;
        }

        private void add(Triple triple, Node graph) {
            var row = new JsonArray();
            row.add(json(triple.getSubject()));
            row.add(json(triple.getPredicate()));
            row.add(json(triple.getObject()));
            row.add(json(graph));
            rows.add(row);
        }

        @Override
        public void triple(Triple triple) {
            add(triple, null);
        }

        @Override
        public void quad(Quad quad) {
            add(quad.asTriple(), quad.isDefaultGraph() ? null : quad.getGraph());
        }
    }
}
