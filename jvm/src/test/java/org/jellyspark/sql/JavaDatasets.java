package org.jellyspark.sql;

import java.util.ArrayList;
import java.util.List;

import scala.Option;

import org.apache.spark.api.java.function.FlatMapFunction;
import org.apache.spark.api.java.function.MapFunction;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Encoders;
import org.apache.spark.sql.SparkSession;

/** Uses the public classes as a Java program does. */
public final class JavaDatasets {
  private static final String DECIMAL = "http://www.w3.org/2001/XMLSchema#decimal";

  private JavaDatasets() {}

  /** Writes a patch as operations and again as beans, and returns the objects that it adds. */
  public static List<String> writeAndRead(SparkSession spark, String folder) {
    Iri cup = new Iri("http://example.org/cup");
    Iri price = new Iri("http://example.org/price");
    List<PatchOperation> operations =
        List.of(
            PatchOperation.TransactionBegin$.MODULE$,
            new PatchOperation.Add(cup, price, Literal.typed("9.20", DECIMAL), Option.empty()),
            PatchOperation.TransactionCommit$.MODULE$,
            PatchOperation.End$.MODULE$);
    Dataset<PatchOperation> patch = spark.createDataset(operations, PatchOperation.encoder());
    patch.coalesce(1).write().format("jelly_patch").save(folder + "/operations");

    Dataset<PatchRowBean> beans =
        spark
            .read()
            .format("jelly_patch")
            .load(folder + "/operations")
            .as(Encoders.bean(PatchRowBean.class))
            .map((MapFunction<PatchRowBean, PatchRowBean>) JavaDatasets::withGraph,
                PatchRowBean.encoder());
    beans.coalesce(1).write().format("rdf_patch").save(folder + "/beans");

    return spark
        .read()
        .format("rdf_patch")
        .load(folder + "/beans")
        .as(PatchRowBean.encoder())
        .flatMap(
            (FlatMapFunction<PatchRowBean, String>) row -> added(row).iterator(), Encoders.STRING())
        .collectAsList();
  }

  private static PatchRowBean withGraph(PatchRowBean row) {
    if (row.getOp().equals("A")) row.setGraph("<http://example.org/shop>");
    return row;
  }

  private static List<String> added(PatchRowBean row) {
    List<String> found = new ArrayList<>();
    if (PatchOperation.of(row.toRow()) instanceof PatchOperation.Add add
        && add.graph().get().equals(new Iri("http://example.org/shop"))
        && add.object() instanceof Literal literal) {
      found.add(literal.lexical());
    }
    return found;
  }
}
