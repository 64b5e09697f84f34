import { z } from 'zod';

export const timestampSchema = z.iso.datetime().meta({ description: 'ISO 8601, UTC.' });
export const urlSchema = z.url().max(2048);
/** A link for browsers: only http and https. */
export const webUrlSchema = z.url({ protocol: /^https?$/, error: 'must be an http(s) URL' }).max(2048);
/** Whether a stored URL is one for browsers: earlier versions accepted others. */
export const isWebUrl = (url: string | undefined): url is string =>
  url !== undefined && webUrlSchema.safeParse(url).success;

const booleans = <K extends string>(rights: Record<K, unknown>) =>
  z.object(Object.fromEntries(Object.keys(rights).map((right) => [right, z.boolean()])) as Record<K, z.ZodBoolean>);
export const permissionsSchema = <K extends string>(kind: { rights: Record<K, unknown> }) =>
  booleans(kind.rights).meta({ description: 'What the caller may do.' });
