import { z } from 'zod';

/** Depth and size are bounded by the body limit of the operation. */
const plain = z.record(z.string(), z.unknown());
const id = z.string().min(1).max(100);
const theme = z.enum(['light', 'dark']).optional();

/** Where a component is shown. */
export const renderContextSchema = z.discriminatedUnion('type', [
  z.looseObject({ type: z.literal('document'), spaceId: id, editable: z.boolean(), theme }),
  z.looseObject({ type: z.literal('configuration_account'), organizationId: id, theme }),
  z.looseObject({ type: z.literal('configuration_space'), spaceId: id, theme }),
  z.looseObject({ type: z.literal('configuration_site'), siteId: id, theme }),
  z.looseObject({
    type: z.literal('configuration_contentsource'),
    organizationId: id,
    spaceId: id.optional(),
    theme,
  }),
]);
export type RenderContext = z.output<typeof renderContextSchema>;

export const renderRequestSchema = z.object({
  componentId: id,
  props: plain,
  state: plain.optional(),
  context: renderContextSchema,
  action: z.looseObject({ action: z.string().min(1).max(200) }).optional(),
});
export type RenderRequest = z.output<typeof renderRequestSchema>;

export const renderOutputSchema = z
  .union([
    z.looseObject({
      type: z.literal('element'),
      element: z.looseObject({ type: z.string() }),
      state: z.unknown(),
      props: z.unknown(),
    }),
    z.looseObject({ type: z.literal('complete'), returnValue: z.unknown().optional() }),
  ])
  .meta({ id: 'ContentKitRenderOutput' });
export type RenderOutput = z.output<typeof renderOutputSchema>;
