# For developers; users need `sh tools/demo` and `sh tools/test` only. FILTER takes
# a regular expression for the names of test files: make sanitize FILTER=margin

FILTER :=
SEED := 1
memcheck := valgrind --quiet --error-exitcode=1 --track-origins=no
# Threads of OpenMP that wait hold memory that is "possibly" lost; said behind the
# closing line of a program, it passed for a failure.
leaks := --leak-check=full --show-leak-kinds=definite \
  --errors-for-leak-kinds=definite

test:
	sh tools/test '$(FILTER)'

# Without R: with the sanitizers, then as users have them.
kernels:
	$(MAKE) -C tests/kernels FILTER='$(FILTER)'

check:
	sh tools/check

bench:
	sh tools/with-package sh -c \
	  'for script in inst/benchmarks/*.R; do \
	     test "$$script" = inst/benchmarks/harness.R || \
	       Rscript "$$script" || exit; done'

# The tests of the package and of the kernels, built for the sanitizers; races
# between threads are looked for in the kernels.
sanitize:
	$(MAKE) -C tests/kernels sanitize threads FILTER='$(FILTER)'
	sh tools/sanitize '$(FILTER)'

# Without a FILTER the kernels and random calls of all functions, with one the
# tests of these files. R frees nothing when it ends, so leaks are looked for in
# the kernels only.
valgrind:
	$(MAKE) -C tests/kernels plain FILTER='$(FILTER)' \
	  WRAPPER='$(memcheck) $(leaks)'
ifeq ($(FILTER),)
	VALGRIND=yes sh tools/fuzz $(SEED) 200
else
	LINKRANK_SLOW_BUILD=yes NOT_CRAN=true \
	  sh tools/with-package sh -c 'cd "$$sources" && \
	  R -d "$(memcheck) --leak-check=no" --vanilla --no-echo \
	    -f tools/run_tests.R --args tests/testthat "$(FILTER)" counts && \
	  cat counts && grep -q " 0 failed," counts'
endif

# Every entry of C, in random calls, with a collection of garbage at each of its
# allocations: what is not protected is gone at once. With a FILTER the tests of
# these files, at every 97th allocation of R and C together (STEP).
torture:
	sh tools/protect
ifeq ($(FILTER),)
	TORTURE=yes sh tools/fuzz $(SEED) 400
else
	LINKRANK_SLOW_BUILD=yes NOT_CRAN=true \
	  sh tools/with-package sh -c 'cd "$$sources" && \
	  R_GCTORTURE=$${STEP:-97} R_GCTORTURE_WAIT=100000 \
	  R_GCTORTURE_INHIBIT_RELEASE=TRUE \
	  Rscript --no-init-file tools/run_tests.R tests/testthat "$(FILTER)" \
	    counts && cat counts && grep -q " 0 failed," counts'
endif

# The tests in other languages, with another BLAS, with a limit of threads.
conditions:
	sh tools/conditions '$(FILTER)'

coverage:
	sh tools/coverage

# NAMESPACE and man/ from the comments in R/.
docs:
	sh tools/with-package Rscript -e \
	  'library(linkrank); roxygen2::roxygenise(load_code = roxygen2::load_installed)'

# Accepts what the snapshot tests get now: read the difference before a commit.
snapshots:
	NOT_CRAN=true sh tools/with-package Rscript \
	  -e 'pdf(NULL); testthat::test_dir("tests/testthat", package = "linkrank",' \
	  -e '  load_package = "installed", stop_on_failure = FALSE,' \
	  -e '  filter = if (nzchar("$(FILTER)")) "$(FILTER)")' \
	  -e 'testthat::snapshot_accept(path = "tests/testthat")'

clean:
	$(MAKE) -C tests/kernels clean
	rm -rf src/*.o src/*.so src/*.dll *.Rcheck linkrank_*.tar.gz linkrank-demo.*

.PHONY: test kernels check bench sanitize valgrind torture conditions coverage \
  docs snapshots clean
