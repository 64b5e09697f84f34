import type { ClientAuth, Configuration } from 'openid-client';
import { z } from 'zod';
import { forbidden } from '../../../shared/errors/errors.js';
import type { Outbound } from '../../../shared/outbound/client.js';
import type { Secrets } from '../../../shared/secrets/secrets.js';
import { scaleMs } from '../../../shared/settings/time-scale.js';
import { sha256 } from '../../../shared/values/ids.js';
import { KeyedCache } from '../../../shared/work/keyed-cache.js';
import type { OidcProviderDocument } from '../organizations/model.js';
import { guardedFetch } from './guarded-fetch.js';

/** The library, loaded with the first sign-in: most installations have none of this kind. */
export const loadOidcLibrary = () => import('openid-client');

const keptMs = 10 * 60_000;
const maxKept = 100;
const requestMs = scaleMs(4_000);
/** The clock difference in seconds that is tolerated. */
const maxSkewSeconds = 60;

/** Knows what providers publish about themselves: each is asked once in ten minutes, by one request at a time. */
export class OidcClients {
  private readonly known = new KeyedCache<Configuration>({ maxSize: maxKept, sizeOf: () => 1, ttlMs: keptMs });

  constructor(
    private readonly secrets: Secrets,
    private readonly outbound: Outbound,
    /** Milliseconds for each request. */
    private readonly timeoutMs = requestMs,
  ) {}

  /** Returns the client of a provider. Throws 403 for an issuer that is another one, and what the library throws where it cannot be asked. */
  clientOf(provider: OidcProviderDocument): Promise<Configuration> {
    const { _id, issuer, clientId, clientSecret } = provider;
    const key = sha256(JSON.stringify([_id, issuer, clientId, clientSecret]));
    return this.known.get(key, () => this.discover(provider));
  }

  close(): Promise<void> {
    return this.outbound.close();
  }

  private async discover({
    organization,
    issuer,
    clientId,
    clientSecret,
  }: OidcProviderDocument): Promise<Configuration> {
    const library = await loadOidcLibrary();
    const isHttp = issuer.startsWith('http:');
    const options = {
      [library.customFetch]: guardedFetch(this.outbound, { owner: organization, timeoutMs: this.timeoutMs }),
      timeout: Math.ceil(this.timeoutMs / 1000),
      execute: isHttp ? [library.allowInsecureRequests] : [],
    };
    const found = await library.discovery(new URL(issuer), clientId, undefined, library.None(), options);
    const metadata = found.serverMetadata();
    const { token_endpoint_auth_methods_supported: methods } = checkMetadata(metadata, { issuer, isHttp });
    const secret = clientSecret === undefined ? undefined : this.secrets.decrypt(clientSecret);
    const auth = authenticationOf(library, methods, secret);
    const client = new library.Configuration(metadata, clientId, { [library.clockTolerance]: maxSkewSeconds }, auth);
    client[library.customFetch] = options[library.customFetch];
    client.timeout = options.timeout;
    for (const extend of options.execute) extend(client);
    library.enableNonRepudiationChecks(client);
    return client;
  }
}

const metadataSchema = z.object({
  issuer: z.string(),
  authorization_endpoint: z.url(),
  token_endpoint: z.url(),
  jwks_uri: z.url(),
  userinfo_endpoint: z.url().optional(),
  token_endpoint_auth_methods_supported: z.array(z.string()).optional(),
  id_token_signing_alg_values_supported: z.array(z.string()).optional(),
});

/** Checks what a provider says about itself. The library also takes an issuer that differs in a slash, and any tenant of Entra ID. */
function checkMetadata(metadata: unknown, { issuer, isHttp }: { issuer: string; isHttp: boolean }) {
  const refuse = (why: string) => forbidden(`The identity provider is not set up: ${why}`, 'sign_in_rejected');
  const checked = metadataSchema.safeParse(metadata);
  if (!checked.success) throw refuse(`its metadata is not right at \`${String(checked.error.issues[0]?.path[0])}\``);
  const { data } = checked;
  if (data.issuer !== issuer) throw refuse(`it calls itself ${data.issuer.slice(0, 512)}, not ${issuer}`);
  const { protocol } = new URL(data.authorization_endpoint);
  if (protocol !== 'https:' && !(isHttp && protocol === 'http:'))
    throw refuse('it names no address by https to sign in at');
  return data;
}

type Library = Awaited<ReturnType<typeof loadOidcLibrary>>;

/** Basic authentication is what a provider takes that says nothing about it. */
function authenticationOf(library: Library, methods: string[] | undefined, secret: string | undefined): ClientAuth {
  if (secret === undefined) return library.None();
  const takesBasic = methods === undefined || methods.includes('client_secret_basic');
  return takesBasic ? library.ClientSecretBasic(secret) : library.ClientSecretPost(secret);
}
