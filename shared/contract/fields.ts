import { z } from 'zod';

export const timestampSchema = z.iso.datetime().meta({ description: 'ISO 8601, UTC.' });
export const urlSchema = z.url().max(2048);
/** A link for browsers: only http and https. */
export const webUrlSchema = z.url({ protocol: /^https?$/, error: 'must be an http(s) URL' }).max(2048);
/** Whether a stored URL may be shown: earlier versions accepted those of other protocols, which could run scripts. */
export const isShowable = (url: string | undefined): url is string =>
  url !== undefined && (!URL.canParse(url) || /^https?:$/.test(new URL(url).protocol));

const booleanFields = <K extends string>(rights: Record<K, unknown>) =>
  z.object(Object.fromEntries(Object.keys(rights).map((right) => [right, z.boolean()])) as Record<K, z.ZodBoolean>);
export const permissionsSchema = <K extends string>(kind: { rights: Record<K, unknown> }) =>
  booleanFields(kind.rights).meta({ description: 'What the caller may do.' });
