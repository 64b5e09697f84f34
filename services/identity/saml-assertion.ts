import { generateServiceProviderMetadata, SAML } from '@node-saml/node-saml';
import { z } from 'zod';
import { forbidden } from '../../shared/errors.js';
import { certificatesIn } from './saml-certificates.js';
import { type ActiveSamlProvider, serviceOf } from './saml-service.js';

/** Clocks differ by so much. */
const skewMs = 60_000;

/** The answer to judge, and whom it may come from. */
export interface SamlQuestion {
  baseUrl: string;
  provider: ActiveSamlProvider;
  /** The id of the request that it is to answer. */
  request: string;
  xml: string;
}

/** What an identity provider vouches for. */
export interface SamlIdentity {
  email: string;
  displayName?: string;
  /** When its session ends, in epoch milliseconds. */
  endsAt?: number;
}

export const refused = (why: string) => forbidden(`The response of the identity provider was rejected: ${why}`);

function libraryFor(baseUrl: string, { _id, ssoURL, certificate }: ActiveSamlProvider, request: string): SAML {
  const { entityID, acsURL } = serviceOf(baseUrl, _id);
  return new SAML({
    issuer: entityID,
    audience: entityID,
    callbackUrl: acsURL,
    entryPoint: new URL(ssoURL).href,
    idpCert: certificatesIn(certificate).map(String),
    wantAssertionsSigned: true,
    wantAuthnResponseSigned: false,
    acceptedClockSkewMs: skewMs,
    // How people prove who they are is the identity provider's to decide.
    disableRequestedAuthnContext: true,
    generateUniqueId: () => request,
  });
}

/** Where the sign-in goes on: the identity provider, with our request of that id (redirect binding). */
export const redirectFor = (baseUrl: string, provider: ActiveSamlProvider, request: string): Promise<string> =>
  libraryFor(baseUrl, provider, request).getAuthorizeUrlAsync('', undefined, {});

/** What the identity provider is told of us: XML, the same each time. */
export function metadataFor(baseUrl: string, provider: string): string {
  const { entityID, acsURL } = serviceOf(baseUrl, provider);
  return generateServiceProviderMetadata({
    issuer: entityID,
    callbackUrl: acsURL,
    wantAssertionsSigned: true,
    generateUniqueId: () => `_${provider}`,
  });
}

const text = z.object({ _: z.string() });
const confirmationSchema = z.object({
  $: z.object({ Method: z.string() }),
  SubjectConfirmationData: z
    .tuple([
      z.object({
        $: z.object({
          Recipient: z.string(),
          InResponseTo: z.string(),
          NotOnOrAfter: z.string(),
          NotBefore: z.string().optional(),
        }),
      }),
    ])
    .optional()
    .catch(undefined),
});

/** The parsed bytes that the signature covers. */
const assertionSchema = z.object({
  Assertion: z.object({
    $: z.object({ Version: z.literal('2.0') }),
    Issuer: z.tuple([text]),
    Subject: z.tuple([
      z.object({ NameID: z.tuple([text]), SubjectConfirmation: z.array(confirmationSchema).min(1).max(10) }),
    ]),
    Conditions: z.tuple([z.object({ $: z.object({ NotOnOrAfter: z.string() }) })]),
    AuthnStatement: z
      .array(z.object({ $: z.object({ SessionNotOnOrAfter: z.string().optional() }).optional() }))
      .optional()
      .catch(undefined),
  }),
});
type Assertion = z.output<typeof assertionSchema>['Assertion'];

const lacking = 'it lacks the elements of a sign-in';

/** What the library's texts mean to who signs in. */
const reasons: [RegExp, string][] = [
  [/not yet valid/, 'it is not valid yet; the clocks may differ'],
  [/expired/, 'it has expired'],
  [/audience/i, 'its audience is another service'],
  [/signature/i, 'its signature is not valid'],
];

async function signedPart(library: SAML, response: string): Promise<{ assertion: unknown; attributes: unknown }> {
  try {
    const { profile } = await library.validatePostResponseAsync({ SAMLResponse: response });
    return { assertion: profile?.getAssertion?.(), attributes: profile?.attributes };
  } catch (error) {
    const message = error instanceof Error ? error.message : '';
    throw refused(reasons.find(([sign]) => sign.test(message))?.[1] ?? lacking);
  }
}

/**
 * Who the answer vouches for, told from signed bytes alone. 403 when it is not signed by the provider, or is not from it,
 * for us, now, and about this request.
 */
export async function verifyAnswer({ baseUrl, provider, request, xml }: SamlQuestion): Promise<SamlIdentity> {
  const { acsURL } = serviceOf(baseUrl, provider._id);
  const response = Buffer.from(xml).toString('base64');
  const signed = await signedPart(libraryFor(baseUrl, provider, request), response);
  const parsed = assertionSchema.safeParse(signed.assertion);
  if (!parsed.success) throw refused(lacking);
  const { Assertion: assertion } = parsed.data;
  if (assertion.Issuer[0]._.trim() !== provider.entityID) throw refused('its issuer is another identity provider');
  checkConfirmation(assertion, acsURL, request);
  const endsAt = endOf(assertion);
  const displayName = nameIn(signed.attributes);
  return {
    email: emailOf(assertion),
    ...(displayName === '' ? {} : { displayName }),
    ...(endsAt === undefined ? {} : { endsAt }),
  };
}

function checkConfirmation({ Subject: [subject] }: Assertion, acsURL: string, request: string): void {
  const now = Date.now();
  const bearers = subject.SubjectConfirmation.filter(({ $ }) => $.Method === 'urn:oasis:names:tc:SAML:2.0:cm:bearer');
  const data = bearers.flatMap(({ SubjectConfirmationData }) => SubjectConfirmationData?.[0]?.$ ?? []);
  const ours = data.filter(({ Recipient }) => Recipient === acsURL);
  if (ours.length === 0) throw refused('its recipient is another address');
  const answers = ours.filter(({ InResponseTo }) => InResponseTo === request);
  if (answers.length === 0) throw refused('it belongs to another sign-in');
  const timely = answers.some(
    ({ NotBefore, NotOnOrAfter }) =>
      Date.parse(NotOnOrAfter) + skewMs > now && (NotBefore === undefined || Date.parse(NotBefore) - skewMs <= now),
  );
  if (!timely) throw refused('it has expired');
}

const emailSchema = z.email().max(254);

function emailOf({ Subject: [subject] }: Assertion): string {
  const email = emailSchema.safeParse(subject.NameID[0]._.trim().toLowerCase());
  if (!email.success) throw refused('its NameID is not an e-mail address');
  return email.data;
}

/** Of several, the soonest. */
function endOf({ AuthnStatement = [] }: Assertion): number | undefined {
  const ends = AuthnStatement.flatMap(({ $ }) => $?.SessionNotOnOrAfter ?? []).map((end) => Date.parse(end));
  if (ends.some((end) => !(end > Date.now()))) throw refused('its session has ended');
  return ends.length > 0 ? Math.min(...ends) : undefined;
}

/** The attributes `first_name` and `last_name`, as one name; empty without them. */
function nameIn(attributes: unknown): string {
  const given = new Map(Object.entries((attributes ?? {}) as Record<string, unknown>));
  const parts = ['first_name', 'last_name'].map((name) => {
    const value = given.get(name);
    const first: unknown = Array.isArray(value) ? value[0] : value;
    return typeof first === 'string' ? first : '';
  });
  return parts
    .join(' ')
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim();
}
