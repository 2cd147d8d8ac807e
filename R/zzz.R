.onUnload <- function(libpath) {
    library.dynam.unload("linkrank", libpath)
}
