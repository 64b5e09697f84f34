import { z } from 'zod';
import { urlSchema, webUrlSchema } from '../../../shared/contract/fields.js';
import { conditionSchema } from '../site/resources.js';

/** Stands for the value of a header in answers: values may be secrets. */
export const hiddenValue = '********';

const maxHeaders = 20;
/** Headers that belong to the connection, not to the server that is asked. */
const reserved =
  /^(?:host|connection|content-length|content-type|transfer-encoding|te|trailer|upgrade|accept|proxy-.*)$/i;

const headerNameSchema = z
  .string()
  .max(100)
  .regex(/^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/, 'must be the name of an HTTP header')
  .refine((name) => !reserved.test(name), 'must not be a header of the connection');

export const mcpServerNameSchema = z.string().min(1).max(100);
export const mcpTransports = ['sse', 'http'] as const;
export const sentHeadersSchema = z
  .record(
    headerNameSchema,
    z
      .string()
      .min(1)
      .max(512)
      .regex(/^[\x20-\x7e]+$/, 'must be printable ASCII'),
  )
  .refine((headers) => Object.keys(headers).length <= maxHeaders, `must have at most ${maxHeaders} headers`)
  .refine(
    (headers) => new Set(Object.keys(headers).map((name) => name.toLowerCase())).size === Object.keys(headers).length,
    'must have each header once, whatever its case',
  );

export const siteMcpServerSchema = z
  .object({
    object: z.literal('site-mcp-server'),
    id: z.string(),
    name: mcpServerNameSchema,
    url: webUrlSchema,
    transport: z.enum(mcpTransports),
    headers: z
      .record(z.string(), z.literal(hiddenValue))
      .meta({ description: `The names of its headers; \`${hiddenValue}\` stands for each value.` }),
    condition: conditionSchema.optional(),
    urls: z.object({ location: urlSchema }),
  })
  .meta({ id: 'SiteMcpServer' });
export type SiteMcpServer = z.output<typeof siteMcpServerSchema>;
