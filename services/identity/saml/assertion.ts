import type { SAML } from '@node-saml/node-saml';
import { z } from 'zod';
import { forbidden } from '../../../shared/errors/errors.js';
import { omitUndefined } from '../../../shared/values/omit-undefined.js';
import type { ActiveSamlProvider } from '../organizations/single-sign-on.js';
import type { SignedInPerson } from '../single-sign-on/admission.js';
import { validCertificates } from './certificates.js';
import { serviceProviderURLs } from './service-provider.js';

/** The clock difference that is tolerated. */
const skewMs = 60_000;

/** An answer to verify, and the provider that must have signed it. */
export interface SamlQuestion {
  baseUrl: string;
  provider: ActiveSamlProvider;
  /** The id of the request that it must answer. */
  request: string;
  xml: string;
}

export const answerRejected = (why: string) =>
  forbidden(`The response of the identity provider was rejected: ${why}`, 'sign_in_rejected');

/** The library, loaded with the first sign-in: most installations have none of this kind. */
const loadLibrary = () => import('@node-saml/node-saml');

async function newSamlClient(
  baseUrl: string,
  { _id, ssoURL, certificate }: ActiveSamlProvider,
  request: string,
): Promise<SAML> {
  const { entityID, acsURL } = serviceProviderURLs(baseUrl, _id);
  const certificates = validCertificates(certificate, skewMs);
  if (certificates.length === 0)
    throw forbidden(
      'The certificate of the identity provider has expired; an admin must set its present one',
      'sign_in_rejected',
    );
  const library = await loadLibrary();
  return new library.SAML({
    issuer: entityID,
    audience: entityID,
    callbackUrl: acsURL,
    entryPoint: new URL(ssoURL).href,
    idpCert: certificates.map(String),
    wantAssertionsSigned: true,
    wantAuthnResponseSigned: false,
    acceptedClockSkewMs: skewMs,
    // The identity provider decides how people authenticate.
    disableRequestedAuthnContext: true,
    generateUniqueId: () => request,
  });
}

/** Returns the address at the identity provider that receives our request with this id (redirect binding). */
export async function signInRedirectURL(
  baseUrl: string,
  { provider, request }: Pick<SamlQuestion, 'provider' | 'request'>,
): Promise<string> {
  const client = await newSamlClient(baseUrl, provider, request);
  return client.getAuthorizeUrlAsync('', undefined, {});
}

/** Returns our service provider metadata as XML; the same text each time. */
export async function writeMetadataXml(baseUrl: string, provider: string): Promise<string> {
  const { entityID, acsURL } = serviceProviderURLs(baseUrl, provider);
  const library = await loadLibrary();
  return library.generateServiceProviderMetadata({
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

/** The parsed form of the bytes that the signature covers. */
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

/** Texts of the library, and what they mean for the person who signs in. */
const reasons: [RegExp, string][] = [
  [/not yet valid/, 'it is not valid yet; the clocks may differ'],
  [/expired/, 'it has expired'],
  [/audience/i, 'its audience is another service'],
  [/signature/i, 'its signature is not valid'],
];

async function verifySignedPart(library: SAML, response: string): Promise<{ assertion: unknown; attributes: unknown }> {
  try {
    const { profile } = await library.validatePostResponseAsync({ SAMLResponse: response });
    return { assertion: profile?.getAssertion?.(), attributes: profile?.attributes };
  } catch (error) {
    const message = error instanceof Error ? error.message : '';
    throw answerRejected(reasons.find(([sign]) => sign.test(message))?.[1] ?? lacking);
  }
}

/**
 * Verifies an answer and returns its person, from signed bytes only. Throws 403 unless the provider signed it, for us, for
 * this request, and it is valid now.
 */
export async function verifyAnswer({ baseUrl, provider, request, xml }: SamlQuestion): Promise<SignedInPerson> {
  const { acsURL } = serviceProviderURLs(baseUrl, provider._id);
  const response = Buffer.from(xml).toString('base64');
  const signed = await verifySignedPart(await newSamlClient(baseUrl, provider, request), response);
  const parsed = assertionSchema.safeParse(signed.assertion);
  if (!parsed.success) throw answerRejected(lacking);
  const { Assertion: assertion } = parsed.data;
  if (assertion.Issuer[0]._.trim() !== provider.entityID)
    throw answerRejected('its issuer is another identity provider');
  checkConfirmation(assertion, acsURL, request);
  const endsAt = sessionEnd(assertion);
  const displayName = assertedName(signed.attributes);
  return omitUndefined({
    email: assertedEmail(assertion),
    displayName: displayName === '' ? undefined : displayName,
    endsAt,
  });
}

function checkConfirmation({ Subject: [subject] }: Assertion, acsURL: string, request: string): void {
  const now = Date.now();
  const bearers = subject.SubjectConfirmation.filter(({ $ }) => $.Method === 'urn:oasis:names:tc:SAML:2.0:cm:bearer');
  const data = bearers.flatMap(({ SubjectConfirmationData }) => SubjectConfirmationData?.[0]?.$ ?? []);
  const ours = data.filter(({ Recipient }) => Recipient === acsURL);
  if (ours.length === 0) throw answerRejected('its recipient is another address');
  const answers = ours.filter(({ InResponseTo }) => InResponseTo === request);
  if (answers.length === 0) throw answerRejected('it belongs to another sign-in');
  const timely = answers.some(
    ({ NotBefore, NotOnOrAfter }) =>
      Date.parse(NotOnOrAfter) + skewMs > now && (NotBefore === undefined || Date.parse(NotBefore) - skewMs <= now),
  );
  if (!timely) throw answerRejected('it has expired');
}

const emailSchema = z.email().max(254);

function assertedEmail({ Subject: [subject] }: Assertion): string {
  const email = emailSchema.safeParse(subject.NameID[0]._.trim().toLowerCase());
  if (!email.success) throw answerRejected('its NameID is not an e-mail address');
  return email.data;
}

/** Returns the earliest end of the sessions. */
function sessionEnd({ AuthnStatement = [] }: Assertion): number | undefined {
  const ends = AuthnStatement.flatMap(({ $ }) => $?.SessionNotOnOrAfter ?? []).map((end) => Date.parse(end));
  if (ends.some((end) => !(end > Date.now()))) throw answerRejected('its session has ended');
  return ends.length > 0 ? Math.min(...ends) : undefined;
}

/** Joins the attributes `first_name` and `last_name`; empty without them. */
function assertedName(attributes: unknown): string {
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
