# What is done when the package is loaded or unloaded.

.onLoad <- function(libname, pkgname) {
    Map(registerS3method, names(set_methods), "pairwise_constraints",
        set_methods)
    if (isNamespaceLoaded("mlr3filters")) register_mlr3_filter()
    setHook(packageEvent("mlr3filters", "onLoad"), register_mlr3_filter)
}

.onUnload <- function(libpath) {
    event <- packageEvent("mlr3filters", "onLoad")
    setHook(event, Filter(function(hook) {
        !identical(hook, register_mlr3_filter)
    }, getHook(event)), "replace")
    if (isNamespaceLoaded("mlr3filters"))
        mlr3filters::mlr_filters$remove("linkrank")
    library.dynam.unload("linkrank", libpath)
}
