# Jelly Spark: `make` lists what can be made. Needs Java 17 or later, Python 3.10 or later and make:
# whatever else a target wants is set up in .venv and .build, and again only when an input changed.

PYTHON ?= python3
JAVA := $(if $(JAVA_HOME),$(JAVA_HOME)/bin/java,java)
VENV := .venv
BIN := $(VENV)/bin

SBT_VERSION := $(shell sed -n 's/^sbt.version=//p' project/build.properties)
LAUNCHER := .build/sbt-launch-$(SBT_VERSION).jar
# Archives hold the times of their files by the time zone, and must be the same everywhere.
SBT := "$(JAVA)" -Xmx2g -Duser.timezone=UTC -Dsbt.supershell=false -jar $(LAUNCHER)

# $(call listing,NAME,FIND): a file with the paths that FIND finds, new only when one came or went:
# as a prerequisite it stands for the files that are gone.
listing = $(shell mkdir -p .build && new=.build/$(1).$$$$ && $(2) | sort >$$new && \
	{ cmp -s $$new .build/$(1) || cp $$new .build/$(1); } && rm $$new && echo .build/$(1))

VERSION_FILE := python/jelly_spark/_version.py
JVM_LISTING := $(call listing,jvm-sources,find jvm/src/main -type f)
JVM_INPUTS := $(JVM_LISTING) $(shell cat $(JVM_LISTING)) \
	build.sbt project/build.properties project/plugins.sbt LICENSE $(VERSION_FILE)
PYTHON_LISTING := $(call listing,python-sources,find python/jelly_spark python/pyspark_*.py -name '*.py' ! -name '*_pb2.py')
PACKAGE_INPUTS := python/pyproject.toml python/hatch_build.py $(VERSION_FILE) $(wildcard proto/*.proto)
JENA_LISTING := $(call listing,jena-sources,find jena/src/main -type f)
JENA_INPUTS := $(JVM_INPUTS) $(JENA_LISTING) $(shell cat $(JENA_LISTING))
TESTS_LISTING := $(call listing,jvm-tests,find jvm/src/test -type f)
PEERS_LISTING := $(call listing,peers-sources,find benchmarks/src -type f)
PEERS_INPUTS := $(PEERS_LISTING) $(shell cat $(PEERS_LISTING)) $(JENA_INPUTS)
SERVICES_LISTING := $(call listing,services-sources,find tests/services/src -type f)
WHEEL_INPUTS := $(PYTHON_LISTING) $(shell cat $(PYTHON_LISTING)) $(PACKAGE_INPUTS) \
	python/jelly_spark/py.typed python/jelly_spark/rates.json python/LICENSE README.md $(wildcard python/jelly_spark/report/page.*)
BOM_INPUTS := release/bom.py requirements-dev.txt $(VERSION_FILE)

# What is set up and built. The stamps tell when their folder was last brought up to date. What needs
# TOOLS, which tests and checks do, has the package, too.
SPARK := $(VENV)/spark.stamp
PACKAGE := $(VENV)/package.stamp
TOOLS := $(VENV)/tools.stamp
DOCS_TOOLS := $(VENV)/docs.stamp
WHEEL := dist/wheel.stamp
COMPILED_WHEEL := dist/compiled/wheel.stamp
COMPILED := .build/compiled.stamp
COMPILED_WHEELS := dist/platform.stamp
MAVEN := dist/maven.stamp
JAR := python/jelly_spark/jars/jelly-spark.jar
BOM := python/sboms/jelly-spark.cdx.json
JENA_JAR := jena/target/jelly-spark-jena.jar
JENA := tests/jena/target/jena.classpath
PEERS := benchmarks/target/peers.classpath
JMH := benchmarks/target/jmh.classpath
JMH_DATA := .build/bench/jmh.stamp
PROFILER := .build/libasyncProfiler.so
S3A := tests/objectstore/target/s3a.classpath
SERVICES := tests/services/target/peer.classpath
TEST_CLASSES := jvm/target/test.classpath
SPARK_CLASSES := .build/spark.jsa

export PIP_DISABLE_PIP_VERSION_CHECK := 1
.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.PHONY: help demo test test-jvm test-python test-spark test-faults test-services test-jdk25 test-long test-bench browser screens fuzz \
	smoke spark-versions matrix matrix-extras matrix-python matrix-spark bench bench-quick bench-scale bench-guide jmh profile jar jena-jar \
	wheel compiled-wheel compiled-wheels test-compiled maven release lint lint-python docs scaladoc parity conformance clean

# Before anything is set up for a run that cannot be.
ifneq ($(filter parity,$(MAKECMDGOALS)),)
ifeq ($(DIR),)
$(error usage: make parity DIR=folder-with-cases)
endif
endif

# make bench ROWS=... PYTHON_ROWS=... MESSAGES=... STATES=... ROUNDS=... BIG=... QUADS=... VERSIONS=... STATEMENTS=... SCALE=... OUT=...
bench_option = $(if $($(1)),--$(2) "$($(1))")
BENCH_OPTIONS = $(call bench_option,ROWS,rows) $(call bench_option,PYTHON_ROWS,python-rows) \
	$(call bench_option,MESSAGES,messages) $(call bench_option,STATES,states) $(call bench_option,ROUNDS,rounds) \
	$(call bench_option,BIG,big) $(call bench_option,QUADS,quads) $(call bench_option,VERSIONS,versions) \
	$(call bench_option,STATEMENTS,statements) $(call bench_option,SCALE,scale) $(call bench_option,OUT,out)

# WORKERS processes run the Python tests. Each has a Spark session of its own, and runs the tests of
# one module in their order.
WORKERS ?= 2
PYTEST_IN_VENV := bin/python -m pytest --numprocesses $(WORKERS) --dist loadscope --no-loadscope-reorder
PYTEST := $(VENV)/$(PYTEST_IN_VENV)

# The newest PySpark of each minor version, and one that is too old, whose other formats the jar must
# not disturb. Each is unpacked into .build/spark/VERSION and hides the PySpark of .venv.
SPARK_VERSIONS := 4.0.5 4.1.4 4.2.1 4.3.0
OLD_SPARK := 3.5.9
# `make smoke` runs the short tests of tests/versions with the oldest, `make test-long` the others, and
# all with the newest and the one that is too old, `make matrix` all with all versions.
OLDEST_SPARK := $(firstword $(SPARK_VERSIONS))
OTHER_SPARKS := $(lastword $(SPARK_VERSIONS)) $(OLD_SPARK)
spark_stamps = $(patsubst %,.build/spark/%.stamp,$(1))
# $(call test_in_spark,VERSIONS,TESTS): run tests with each version, to the first that fails.
test_in_spark = set -e; for version in $(1); do echo "PySpark $$version"; \
	SPARK_HOME="$(CURDIR)/.build/spark/$$version/deps" PYTHONPATH="$(CURDIR)/.build/spark/$$version" \
	$(2); done

# The ends of the range of Python versions, each in a folder of its own: the oldest with the oldest
# protobuf that python/pyproject.toml allows, the newest with that of requirements-dev.txt.
PYTHON_VERSIONS := 3.10 3.13
OLDEST_PROTOBUF := $(shell sed -n 's/^dependencies.*protobuf>=\([0-9.]*\).*/\1/p' python/pyproject.toml)
PYTHON_TESTS_NEED := pytest pytest-xdist hypothesis fsspec pyjelly rdflib zstandard protobuf

# make fuzz N=... SEED=... WORKERS=..., or CASES="..." for saved files
N ?= 2500
SEED ?= 1
FUZZ := $(BIN)/python -m tests.fuzz --files $(N) --seed $(SEED) --workers $(WORKERS) $(CASES)

# Where tests are that need neither Spark nor the jar; those of them that do have the mark `spark`, as
# have all tests elsewhere.
CODEC_TESTS := tests/test_layers.py tests/algebra tests/cli tests/codec tests/conformance tests/differential tests/integrations tests/interop tests/report tests/stores

help: ## list the targets
	@sed -nE 's/^([a-z0-9-]+):.*## (.*)/\1|\2/p' Makefile | awk -F'|' '{ printf "make %-11s %s\n", $$1, $$2 }'

demo: $(PACKAGE) $(JAR) ## run the demonstration
	@$(BIN)/python -m examples.demo

# What sbt builds for the tests. It takes 15 seconds to start, so `make test` starts it once.
test: BUILDS := jvm/built jena/built jenaLibraries/jenaClasspath objectStore/s3aClasspath jvm/testClasspath

test: $(TOOLS) $(LAUNCHER) browser ## run the tests, JVM and Python
	@$(MAKE) --no-print-directory --jobs=2 --output-sync=target BUILDS="$(BUILDS)" test-jvm test-python
	@$(MAKE) --no-print-directory test-spark

# The browser in which reports are tested. Without it, these tests are skipped.
browser:
	@command -v chromium >/dev/null || if [ "$$(id -u)" = 0 ]; then echo "installing chromium"; \
		{ apt-get update && DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends chromium; } \
			</dev/null >.build/browser.log 2>&1 || echo "cannot install it: see .build/browser.log"; \
	else echo "no chromium: reports are not tested in a browser"; fi

screens: $(TOOLS) browser ## make the screens in docs/images
	@$(BIN)/python -m tests.cli.screens
	@$(BIN)/python -m tests.report.screens

test-jvm: $(LAUNCHER) ## run the tests of the JVM's code
	@$(SBT) warn $(BUILDS) info jvm/test jena/test </dev/null

test-python: $(TOOLS) ## run the tests of the Python codec: no Spark, no JVM, 2 minutes
	@$(PYTEST) -m "not spark and not long" $(CODEC_TESTS)

test-compiled: $(COMPILED) ## run the tests of the Python codec with the compiled modules
	@PYTHONPATH="$(CURDIR)/.build/compiled" $(BIN)/python -c 'from jelly_spark.core.compiled import IS_COMPILED; assert IS_COMPILED'
	@PYTHONPATH="$(CURDIR)/.build/compiled" $(PYTEST) -m "not spark and not long" $(CODEC_TESTS)

test-spark: $(TOOLS) $(JAR) $(JENA_JAR) $(JENA) $(S3A) $(TEST_CLASSES) $(SPARK_CLASSES) ## run the tests that need Spark or the jar
	@$(PYTEST) -m "spark and not long" $(addprefix --ignore tests/,benchmarks faults release services versions)

test-faults: $(TOOLS) $(JAR) $(TEST_CLASSES) $(SPARK_CLASSES) ## kill, fill and change what jobs use, and fuzz
	@$(FUZZ)
	@$(BIN)/python -m pytest -m "not long" tests/faults

test-services: $(TOOLS) $(JAR) $(SERVICES) $(SPARK_CLASSES) ## run a Kafka broker, and Spark jobs with it and Delta, and triple stores
	@$(BIN)/python -m pytest -m "not long" tests/services

# XML has other limits there, and Spark another JVM: files of all syntaxes with both jars, and lines.
test-jdk25: $(TOOLS) $(JAR) $(JENA_JAR) $(JENA) ## run some tests of both jars on a JDK 25, if there is one
	@home=$$($(BIN)/python -m tests.java 25); if [ -z "$$home" ]; then \
		echo "no JDK 25 or later, so nothing is tested on it: set JAVA_HOME_25_X64 to its folder"; \
	else JAVA_HOME="$$home" $(BIN)/python -m pytest --quiet -m "not long" tests/jena/test_rdf.py tests/spark/formats/test_ntriples.py; fi

test-long: $(TOOLS) $(JAR) $(JENA_JAR) $(JENA) $(WHEEL) $(COMPILED) $(MAVEN) $(S3A) $(SERVICES) $(TEST_CLASSES) $(SPARK_CLASSES)
test-long: $(call spark_stamps,$(OLDEST_SPARK) $(OTHER_SPARKS)) ## run what .ci/run leaves out: packages, clusters, other versions of Spark
	@$(PYTEST) -m long --ignore tests/benchmarks --ignore tests/release
	@$(call test_in_spark,$(OLDEST_SPARK),$(BIN)/python -m pytest --quiet -m long tests/versions)
	@$(call test_in_spark,$(OTHER_SPARKS),$(BIN)/python -m pytest --quiet tests/versions)
	@$(MAKE) --no-print-directory fuzz N=10000
	@$(MAKE) --no-print-directory test-compiled

fuzz: $(TOOLS) $(TEST_CLASSES) ## read N mutated files with both codecs: make fuzz N=... SEED=...
	@$(FUZZ)

test-bench: $(TOOLS) $(COMPILED) $(JAR) $(JENA_JAR) $(JENA) $(PEERS) $(SERVICES) ## run the benchmarks on little data: 10 minutes
	@$(BIN)/python -m pytest tests/benchmarks

smoke: $(TOOLS) $(JAR) $(call spark_stamps,$(OLDEST_SPARK)) ## try the jar with the oldest version of Spark
	@$(call test_in_spark,$(OLDEST_SPARK),$(BIN)/python -m pytest --quiet -m "not long" tests/versions)

spark-versions: $(call spark_stamps,$(OLDEST_SPARK)) ## fetch what `make smoke` needs, 400 MB

matrix: matrix-python matrix-extras matrix-spark ## run the tests with all supported versions: 30 minutes

matrix-spark: $(TOOLS) $(JAR) $(JENA_JAR) $(JENA) $(call spark_stamps,$(SPARK_VERSIONS) $(OLD_SPARK))
	@$(call test_in_spark,$(SPARK_VERSIONS),$(PYTEST) --quiet tests/datasource tests/spark tests/jena tests/versions)
	@$(call test_in_spark,$(OLD_SPARK),$(BIN)/python -m pytest --quiet tests/versions)

matrix-python: $(TOOLS) $(patsubst %,.build/python/%.stamp,$(PYTHON_VERSIONS))
	@set -e; for version in $(PYTHON_VERSIONS); do \
		PYTHONPATH=python .build/python/$$version/bin/python -c 'import google.protobuf, sys; \
			print("Python", sys.version.split()[0] + ", protobuf", google.protobuf.__version__)'; \
		PYTHONPATH=python .build/python/$$version/$(PYTEST_IN_VENV) --quiet -m "not spark" tests/algebra tests/codec; \
	done

matrix-extras: $(TOOLS) $(WHEEL)
	@$(BIN)/python -m pytest --quiet tests/release/test_extras.py

bench: $(TOOLS) $(COMPILED) $(JAR) $(JENA_JAR) $(JENA) $(PEERS) $(SERVICES) $(call spark_stamps,$(filter 4.0.%,$(SPARK_VERSIONS))) ## compare speeds with Jelly-JVM, Jena, Parquet, pyjelly, Delta: 45 minutes
	@$(BIN)/python -m benchmarks $(BENCH_OPTIONS)

bench-quick: $(TOOLS) $(JAR) $(PEERS) ## compare with the commit or jar BASE=..., or with the peers: 6 minutes
	@$(BIN)/python -m benchmarks.quick $(if $(BASE),--base "$(BASE)") $(if $(MEASURES),--measures $(foreach measure,$(MEASURES),"$(measure)"))

bench-scale: $(TOOLS) $(JAR) ## measure what work costs against its size: 6 minutes, or 20 with SCALE=1
	@$(BIN)/python -m benchmarks.scale $(call bench_option,SCALE,scale) $(call bench_option,OUT,out) $(call bench_option,WORK,work)

bench-guide: $(TOOLS) $(JAR) ## print a table that a guide shows: NAME=command_line, oxigraph, row_paths, text_splits or without_jar
	@$(BIN)/python -m benchmarks.guides "$(NAME)" $(OPTIONS)

# make jmh JMH_OPTIONS="Decoder.all -p data=shop": which benchmarks, and other options of JMH
RUN_JMH = "$(JAVA)" -cp "$$(cat $(JMH))" org.openjdk.jmh.Main \
	-jvmArgsAppend "-Dbenchmarks.data=$(CURDIR)/$(basename $(JMH_DATA))"

jmh: $(JMH) $(JMH_DATA) ## measure the decoder, the encoder and terms with JMH: 4 minutes, or some with JMH_OPTIONS=...
	@$(RUN_JMH) $(JMH_OPTIONS)

profile: $(JMH) $(JMH_DATA) $(PROFILER) ## draw where benchmarks of `make jmh` spend their time: .build/profile/
	@mkdir -p .build/profile
	@$(RUN_JMH) -prof "async:libPath=$(CURDIR)/$(PROFILER);output=flamegraph,collapsed;dir=$(CURDIR)/.build/profile" $(JMH_OPTIONS)

jar: $(JAR) ## build the jar for Spark, python/jelly_spark/jars/jelly-spark.jar

jena-jar: $(JENA_JAR) ## build the second jar, with Jelly-JVM, jena/target/jelly-spark-jena.jar

wheel: $(WHEEL) ## build the wheel and the source distribution, with the jar in them, in dist/

compiled-wheels: $(COMPILED_WHEELS) ## build a compiled wheel for each Python from 3.10 to 3.13 on the path, in dist/platform/

compiled-wheel: $(COMPILED_WHEEL) ## build a wheel with the codec compiled for this platform, in dist/compiled/

maven: $(MAVEN) ## build what a Maven repository has of both jars, in dist/maven/

release: $(TOOLS) $(LAUNCHER) ## build the release twice, compare and check it: dist/release/, 10 minutes
	@$(BIN)/python -m release

# With the API of Scala, as sbt starts once then.
lint: CHECKS := scalafmtSbtCheck jvm/scalafmtCheckAll jvm/Test/compile jena/scalafmtCheckAll jena/Test/compile \
	benchmarks/scalafmtCheckAll benchmarks/compile services/scalafmtCheckAll services/servicesClasspaths

lint: lint-python docs ## check style, types and warnings of all code, and build the site

lint-python: $(TOOLS)
	@$(BIN)/ruff check python tests benchmarks examples release
	@$(BIN)/ruff format --check python tests benchmarks examples release
	@$(BIN)/mypy python/jelly_spark tests benchmarks examples release

# With `--quiet`, mkdocs would ignore broken links, as any warning.
docs: scaladoc $(DOCS_TOOLS) ## build the documentation site in site/
	@NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict >.build/docs.log 2>&1 || { cat .build/docs.log >&2; exit 1; }
	@cp -R jvm/target/scala-2.13/api site/scala
	@cp -R jena/target/scala-2.13/api site/scala-jena

# Beside the installation of Python's tools, if make runs two jobs.
scaladoc: $(LAUNCHER)
	@$(SBT) --warn $(CHECKS) jvm/doc jena/doc </dev/null

parity: $(TOOLS) $(JAR) $(JENA_JAR) $(TEST_CLASSES) ## compare the codecs with the cases below DIR: make parity DIR=...
	@$(BIN)/python -m tests.parity "$(DIR)"

conformance: $(TOOLS) $(JAR) $(JENA_JAR) $(TEST_CLASSES) ## run the suites of Jelly-RDF, N-Triples and N-Quads with all codecs, or those in DIR=...
	@$(BIN)/python -m tests.conformance $(if $(DIR),"$(DIR)")

clean: ## remove all that was set up or built
	@rm -rf $(VENV) .build .bsp target project/target project/project jvm/target jena/target benchmarks/target
	@rm -rf tests/objectstore/target tests/services/target tests/jena/target
	@rm -rf dist site python/sboms python/jelly_spark/jars python/jelly_spark/_proto/*_pb2.py*
	@rm -rf .pytest_cache .hypothesis .mypy_cache .ruff_cache spark-warehouse metastore_db derby.log
	@find python tests benchmarks examples release \( -name __pycache__ -o -name '.*_cache' \) -prune -exec rm -rf {} +

$(SPARK): requirements.txt
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 10))' || \
		{ echo "Python 3.10 or later is needed, as $(PYTHON): name another with PYTHON=..." >&2; exit 1; }
	@echo "setting up, which takes a few minutes the first time"
	@echo "installing Spark in $(VENV): 450 MB to fetch"
	@$(PYTHON) -m venv --clear $(VENV)
	@$(BIN)/python -m pip install --quiet --no-compile --use-pep517 --requirement requirements.txt
	@touch $@

# Editable, so new only where the metadata or the generated classes would be others.
$(PACKAGE): $(PACKAGE_INPUTS) $(SPARK)
	@echo "installing the package in $(VENV)"
	@$(BIN)/python -m pip install --quiet --editable python
	@touch $@

# pip does not compile what it installs: Python does so for the few modules that are imported.
$(TOOLS): requirements-dev.txt $(SPARK) | $(PACKAGE)
	@echo "installing what tests need in $(VENV)"
	@$(BIN)/python -m pip install --quiet --no-compile --requirement requirements-dev.txt
	@touch $@

$(DOCS_TOOLS): requirements-docs.txt $(TOOLS)
	@echo "installing what builds the site in $(VENV)"
	@$(BIN)/python -m pip install --quiet --no-compile --requirement requirements-docs.txt
	@touch $@

# Unpacked, the archive of the sources holds the jars too. To install it would take minutes, for the
# wheel that pip makes first.
.build/spark/%.stamp: | $(SPARK)
	@echo "fetching PySpark $*"
	@rm -rf .build/spark/$* && mkdir -p .build/spark/$*
	@$(BIN)/python -m pip download --quiet --no-deps --no-binary pyspark --dest .build/spark/$* pyspark==$*
	@tar -xzf .build/spark/$*/pyspark-$*.tar.gz --strip-components=1 -C .build/spark/$*
	@rm .build/spark/$*/pyspark-$*.tar.gz
	@touch $@

# pip takes no extras in a file of constraints.
.build/python/%.stamp: requirements.txt requirements-dev.txt python/pyproject.toml
	@echo "setting up Python $*"
	@mkdir -p $(@D)
	@python$* -m venv --clear .build/python/$* || \
		{ echo "make matrix needs Python $* on the path, as python$*" >&2; exit 1; }
	@sed '/^-r/d;s/\[.*\]//;s/ --.*//$(if $(filter $*,$(firstword $(PYTHON_VERSIONS))),;s/^protobuf==.*/protobuf==$(OLDEST_PROTOBUF)/)' \
		requirements.txt requirements-dev.txt >.build/python/$*.txt
	@.build/python/$*/bin/python -m pip install --quiet --constraint .build/python/$*.txt $(PYTHON_TESTS_NEED)
	@touch $@

# PySpark's Ivy fetches it, so that sbt need not be installed.
$(LAUNCHER): | $(SPARK)
	@version=$$("$(JAVA)" -version 2>&1 | sed -nE 's/.* version "([0-9]+).*/\1/p'); \
		test "$${version:-0}" -ge 17 || \
		{ echo "Java 17 or later is needed, as $(JAVA): set JAVA_HOME" >&2; exit 1; }
	@echo "fetching sbt $(SBT_VERSION)"
	@log=$$("$(JAVA)" -jar $(VENV)/lib/python3.*/site-packages/pyspark/jars/ivy-*.jar \
		-cache .build/ivy -dependency org.scala-sbt sbt-launch $(SBT_VERSION) -types jar -confs default \
		-retrieve ".build/[artifact]-[revision].[ext]" 2>&1) && test -s $@ || { echo "$$log" >&2; exit 1; }

$(JAR): $(JVM_INPUTS) | $(LAUNCHER)
	@echo "building $@ with Scala and sbt, which are fetched first: this takes longest"
	@$(SBT) --warn jvm/built </dev/null

$(JENA_JAR): $(JENA_INPUTS) | $(LAUNCHER)
	@echo "building $@"
	@$(SBT) --warn jena/built </dev/null

$(PEERS): $(PEERS_INPUTS) | $(LAUNCHER)
	@echo "building the peers of the benchmark"
	@$(SBT) --warn benchmarks/peersClasspath </dev/null
	@touch $@

$(JMH): $(PEERS_INPUTS) | $(LAUNCHER)
	@echo "building the benchmarks of methods"
	@$(SBT) --warn benchmarks/jmhClasspath </dev/null
	@touch $@

# As many statements as benchmarks/src/main/scala/org/jellyspark/benchmarks/jmh/Inputs.scala says.
$(JMH_DATA): benchmarks/data/datasets.py benchmarks/running/made_files.py | $(TOOLS) $(JAR)
	@echo "making files for the benchmarks of methods"
	@rm -rf $(basename $@)
	@$(BIN)/python -m benchmarks.running.made_files $(basename $@) --rows 200000
	@touch $@

# async-profiler's library, from its jar.
$(PROFILER): $(JMH)
	@jar=$$(tr : '\n' <$(JMH) | grep 'async-profiler-[0-9.]*jar$$') && \
		$(PYTHON) -c 'import sys, zipfile; sys.stdout.buffer.write(zipfile.ZipFile(sys.argv[1]).read(sys.argv[2]))' \
			"$$jar" "$$(case $$(uname -m) in aarch64) echo linux-arm64;; *) echo linux-x64;; esac)/libasyncProfiler.so" >$@

$(S3A): build.sbt project/build.properties project/plugins.sbt | $(LAUNCHER)
	@echo "fetching S3A"
	@$(SBT) --warn objectStore/s3aClasspath </dev/null
	@touch $@

$(SERVICES): $(JVM_INPUTS) $(SERVICES_LISTING) $(shell cat $(SERVICES_LISTING)) | $(LAUNCHER)
	@echo "fetching the services"
	@$(SBT) --warn services/servicesClasspaths </dev/null
	@touch $@

$(JENA): build.sbt project/build.properties project/plugins.sbt | $(LAUNCHER)
	@echo "fetching Jena"
	@$(SBT) --warn jenaLibraries/jenaClasspath </dev/null
	@touch $@

$(TEST_CLASSES): $(JVM_INPUTS) $(TESTS_LISTING) $(shell cat $(TESTS_LISTING)) | $(LAUNCHER)
	@echo "compiling the tests of the JVM's code"
	@$(SBT) --warn jvm/testClasspath </dev/null
	@touch $@

# The classes that Spark has loaded at the end of the demonstration, from which the JVMs of the tests
# start in half the time: see tests/jvm_options.py. The JVM writes them after Python has ended.
$(SPARK_CLASSES): $(SPARK) | $(PACKAGE) $(JAR)
	@echo "saving the classes of Spark"
	@log=$$(JDK_JAVA_OPTIONS='-XX:+UseSerialGC "-XX:ArchiveClassesAtExit=$(CURDIR)/$@" -Xlog:cds=off -Xlog:cds+dynamic=off' \
		$(BIN)/python -m examples.demo 2>&1) || { echo "$$log" >&2; exit 1; }

# Both jars as `sbt publish` makes them. Spark's `--packages` reads this folder as a repository.
$(MAVEN): $(JENA_INPUTS) $(BOM_INPUTS) | $(LAUNCHER)
	@echo "building $(@D)/maven"
	@rm -rf $(@D)/maven
	@$(SBT) --warn publishedJvm/publish publishedJena/publish jvm/bundled jena/bundled </dev/null
	@$(BIN)/python -m release.bom maven
	@touch $@

# The bill of materials is of the bytes of the jar.
$(BOM): $(JAR) $(BOM_INPUTS) | $(TOOLS)
	@$(BIN)/python -m release.bom wheel $@

# The wheel is built from the source distribution, so this shows that it holds all that is needed.
$(WHEEL): $(WHEEL_INPUTS) $(BOM) | $(TOOLS)
	@mkdir -p $(@D) && rm -f $(@D)/jelly_spark-*
	@$(BIN)/python -m build --outdir $(@D) python >.build/wheel.log 2>&1 || { cat .build/wheel.log >&2; exit 1; }
	@ls $(@D)/jelly_spark-*
	@touch $@

$(COMPILED_WHEEL): $(WHEEL_INPUTS) $(BOM) | $(TOOLS)
	@mkdir -p $(@D) && rm -f $(@D)/jelly_spark-*
	@JELLY_SPARK_COMPILE=1 $(BIN)/python -m build --outdir $(@D) python >.build/compiled.log 2>&1 || { cat .build/compiled.log >&2; exit 1; }
	@ls $(@D)/jelly_spark-*
	@touch $@

# From the source distribution, with pip of each Python. A command on the path may be that of a tool for
# versions that are turned off.
$(COMPILED_WHEELS): $(WHEEL)
	@rm -rf $(@D)/platform && mkdir -p $(@D)/platform
	@set -e; for version in 3.10 3.11 3.12 3.13; do \
		python$$version -V >/dev/null 2>&1 || { echo "no python$$version on the path: no wheel for it"; continue; }; \
		JELLY_SPARK_COMPILE=1 python$$version -m pip wheel --quiet --no-deps --no-cache-dir \
			--wheel-dir $(@D)/platform $(@D)/jelly_spark-*.tar.gz; \
	done
	@ls $(@D)/platform/*.whl
	@touch $@

# On the path, it hides the package that is installed in .venv.
$(COMPILED): $(COMPILED_WHEEL)
	@rm -rf .build/compiled
	@$(BIN)/python -m zipfile -e dist/compiled/jelly_spark-*.whl .build/compiled
	@touch $@
