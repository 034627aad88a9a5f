"""`python -m jelly_spark.cli` runs the command `jelly-spark`."""

from jelly_spark.cli import main

if __name__ == "__main__":
    main()
