import type { Secrets } from '../../../../shared/secrets/secrets.js';
import type { EventDocument } from './model.js';

export interface EventPayload {
  eventId: string;
  type: string;
  [field: string]: unknown;
}

type Stored = Pick<EventDocument, 'payload' | 'sealed'>;

/** Events that tell who visited a page. */
const isOfVisitor = (type: string): boolean => type.endsWith('_view') || type === 'page_feedback';

/** Events that tell configurations, which hold keys of other products, or who visited a page. */
const isSecret = (type: string): boolean => /installation_(setup|deleted)$/.test(type) || isOfVisitor(type);

/** A payload as it is stored: encrypted where it tells secrets. */
export function storedPayload({ secrets }: { secrets: Secrets }, payload: EventPayload): Stored {
  const text = JSON.stringify(payload);
  return isSecret(payload.type) ? { payload: secrets.encrypt(text), sealed: true } : { payload: text };
}

/** A stored payload as JSON. */
export const payloadText = ({ secrets }: { secrets: Secrets }, { payload, sealed }: Stored): string =>
  sealed ? secrets.decrypt(payload) : payload;

export const payloadOf = (deps: { secrets: Secrets }, event: Stored): EventPayload =>
  JSON.parse(payloadText(deps, event));

/** What is kept of an event that was delivered: who visited a page is not. */
export function keptOf(deps: { secrets: Secrets }, event: Stored & Pick<EventDocument, 'type'>): Partial<Stored> {
  if (!isOfVisitor(event.type)) return {};
  const { visitor: _, ...kept } = payloadOf(deps, event);
  return storedPayload(deps, kept as EventPayload);
}
