import { invalid } from '../../../shared/errors/errors.js';
import { checkUrl } from '../../../shared/outbound/address.js';
import { webhookPublication } from './declaration.js';

const minSecretLength = 16;

/** Throws a 400 that names what of a configuration no event could be sent with. Fields that are missing or empty leave an installation pending. */
export function checkWebhook(
  { allowCidrs }: { allowCidrs: readonly string[] },
  { publication, configuration: { url, secret } }: { publication: string; configuration: Record<string, unknown> },
): void {
  if (publication !== webhookPublication) return;
  if (typeof secret === 'string' && secret !== '' && secret.length < minSecretLength)
    throw invalid(`configuration.secret: must have at least ${minSecretLength} characters`);
  if (typeof url !== 'string' || url === '') return;
  const checked = checkUrl(url, { allowCidrs });
  if (!checked.ok) throw invalid(`configuration.url: ${checked.problem}`);
}
