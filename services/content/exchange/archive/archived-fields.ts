import { z } from 'zod';

/** The id of something in an archive: also a name of a folder, so it has no more than letters, digits and `_`. */
export const archivedId = z.string().regex(/^[A-Za-z0-9_]{1,100}$/, 'must be an id');
