/** The folder of a space in an archive. */
export const spaceFolder = (id: string): string => `spaces/${id}/`;

/** In the folder of a space, the one that Git sync reads. */
export const contentFolder = 'content/';

/** In the folder of a space, and in each commit of its history: the ids of what it holds. */
export const spaceLists = ['pages.ndjson', 'files.ndjson', 'reusable-contents.ndjson', 'redirects.ndjson'];

/** The earlier revisions of a space, and the present one. Archives that were made before they were in it lack the file. */
export const historyFile = 'history.bundle';
