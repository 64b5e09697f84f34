import { z } from 'zod';
import { urlSchema } from '../../../../shared/contract/fields.js';

const embedFields = {
  title: z.string(),
  site: z.string().meta({ description: 'The name of the site, or its host.' }),
  icon: urlSchema.optional(),
};

/** The content that is shown for an embedded address. */
export const embedSchema = z
  .discriminatedUnion('type', [
    z.object({ type: z.literal('link'), ...embedFields, url: urlSchema }),
    z.object({
      type: z.literal('rich'),
      html: z.string().meta({ description: 'One `<iframe>` of an https address, sandboxed; nothing else.' }),
      ...embedFields,
    }),
    z.object({
      type: z.literal('integration'),
      ...embedFields,
      integration: z.string().meta({ description: 'The name of the integration that shows it.' }),
      block: z.looseObject({ id: z.string(), title: z.string() }).meta({
        description: 'The block that shows it, as its integration declares it; its id is the component to render.',
      }),
      url: urlSchema,
    }),
  ])
  .meta({ id: 'Embed' });
export type Embed = z.output<typeof embedSchema>;
