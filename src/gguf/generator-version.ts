/**
 * Version of everything that decides a byte of a model file: layout, metadata, weights. It never
 * changes for files already written; a change of one byte is a new version.
 */
export const generatorVersion = 1;
