import { z } from 'zod';
import { operation } from '../../../../shared/contract/operation.js';
import { question, verb } from '../../../../shared/contract/verb.js';
import { onOrganization } from '../../../identity/resources.js';
import { uploadKindSchema, uploadURLSchema } from '../resources.js';

export const uploadOperations = {
  generateStorageUploadURL: operation({
    method: 'POST',
    path: '/orgs/{organizationId}/storage/upload',
    summary: 'Get a URL to upload a file to',
    description:
      'The URL takes the bytes by one `PUT`, of this type and size, within an hour. The file can be used for a day by its key, and is then removed.',
    tag: 'Organizations',
    access: onOrganization('createContent'),
    body: z
      .object({
        file: z.object({
          name: z
            .string()
            .min(1)
            .max(256)
            .regex(/^(?!\.{1,2}$)[^\p{Cc}\p{Cs}/\\]*$/u, 'must be a file name without slashes and control characters'),
          type: z
            .string()
            .max(255)
            .regex(/^[\w.+-]+\/[\w.+-]+$/, 'must be a media type, such as font/woff2'),
          size: z.number().int().min(1).meta({ description: 'Bytes.' }),
        }),
        kind: uploadKindSchema.meta({
          description:
            '`customization_font`: at most 10 MB; `import_file`: a file to import content from, at most 100 MB.',
        }),
      })
      .meta({
        examples: [
          { file: { name: 'Acme-Regular.woff2', type: 'font/woff2', size: 41_320 }, kind: 'customization_font' },
          { file: { name: 'export.zip', type: 'application/zip', size: 31_457_280 }, kind: 'import_file' },
        ],
      }),
    status: 201,
    response: uploadURLSchema,
  }),
};

/** Finds what the URL of an upload takes. Throws 404 where it takes nothing any more, 409 where it has taken it. */
export const findUpload = question<{ upload: string }, { type: string; size: number }>('content', 'findUpload');

/** Takes over what was uploaded. Throws 400 for bytes that are not of their kind, 409 where others came first. */
export const receiveUpload = verb<{ upload: string; blob: string }, void>('content', 'receiveUpload');
