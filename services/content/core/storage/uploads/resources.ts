import { z } from 'zod';
import { urlSchema } from '../../../../../shared/contract/fields.js';

/** Kinds of files that may be uploaded, with the largest size in bytes. */
export const uploadKinds = { customization_font: 10_000_000, import_file: 100_000_000 } as const;
export type UploadKind = keyof typeof uploadKinds;
export const uploadKindSchema = z.enum(Object.keys(uploadKinds) as [UploadKind, ...UploadKind[]]);

export const uploadKeySchema = z
  .string()
  .min(1)
  .max(512)
  .meta({ description: 'The key of a file that was uploaded within the last day.' });

export const uploadURLSchema = z
  .object({
    object: z.literal('storage-signed-url'),
    url: urlSchema.meta({ description: 'Takes the bytes once, by `PUT`, within the hour.' }),
    key: z.string().meta({ description: 'Names the file where it is used.' }),
  })
  .meta({ id: 'StorageUploadURL' });
