import type { Secrets } from '../../../../shared/secrets/secrets.js';
import type { EventDocument } from './model.js';

export interface EventPayload {
  eventId: string;
  type: string;
  [field: string]: unknown;
}

type Stored = Pick<EventDocument, 'payload' | 'sealed'>;

/** Events that show who visited a page. */
const isOfVisitor = (type: string): boolean => type.endsWith('_view') || type === 'page_feedback';

/** Events with configurations, which hold keys of other products, or with the visitor of a page. */
const isSecret = (type: string): boolean => /installation_(setup|deleted)$/.test(type) || isOfVisitor(type);

/** A payload as it is stored: encrypted where it holds secrets. */
export function sealPayload({ secrets }: { secrets: Secrets }, payload: EventPayload): Stored {
  const text = JSON.stringify(payload);
  return isSecret(payload.type) ? { payload: secrets.encrypt(text), sealed: true } : { payload: text };
}

/** A stored payload as JSON. */
export const payloadText = ({ secrets }: { secrets: Secrets }, { payload, sealed }: Stored): string =>
  sealed ? secrets.decrypt(payload) : payload;

export const readPayload = (deps: { secrets: Secrets }, event: Stored): EventPayload =>
  JSON.parse(payloadText(deps, event));

/** Changes to an event once it is delivered: the visitor of a page is no longer kept. */
export function dropVisitor(deps: { secrets: Secrets }, event: Stored & Pick<EventDocument, 'type'>): Partial<Stored> {
  if (!isOfVisitor(event.type)) return {};
  const { visitor: _, ...kept } = readPayload(deps, event);
  return sealPayload(deps, kept as EventPayload);
}
