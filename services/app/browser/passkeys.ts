/** Bytes as WebAuthn writes them in JSON. */
const bytesOf = (text: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (character) => character.charCodeAt(0));
const textOf = (bytes: ArrayBuffer): string =>
  btoa(String.fromCharCode(...new Uint8Array(bytes)))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replace(/=+$/, '');

type CreationJson = PublicKeyCredentialCreationOptionsJSON;
type RequestJson = PublicKeyCredentialRequestOptionsJSON;

/** Browsers of before 2025 do not read the options themselves. */
function creationOptions(json: CreationJson): PublicKeyCredentialCreationOptions {
  if ('parseCreationOptionsFromJSON' in PublicKeyCredential)
    return PublicKeyCredential.parseCreationOptionsFromJSON(json);
  const { challenge, user, rp, pubKeyCredParams, authenticatorSelection, excludeCredentials = [] } = json;
  return {
    rp,
    challenge: bytesOf(challenge),
    user: { ...user, id: bytesOf(user.id) },
    pubKeyCredParams: pubKeyCredParams as PublicKeyCredentialParameters[],
    authenticatorSelection: authenticatorSelection as AuthenticatorSelectionCriteria,
    excludeCredentials: excludeCredentials.map(({ id }) => ({ id: bytesOf(id), type: 'public-key' as const })),
  };
}

function requestOptions(json: RequestJson): PublicKeyCredentialRequestOptions {
  if ('parseRequestOptionsFromJSON' in PublicKeyCredential)
    return PublicKeyCredential.parseRequestOptionsFromJSON(json);
  const { challenge, timeout, rpId } = json;
  return {
    challenge: bytesOf(challenge),
    ...(timeout === undefined ? {} : { timeout }),
    ...(rpId === undefined ? {} : { rpId }),
    userVerification: 'required',
  };
}

/** The answer of a passkey in JSON, as `toJSON` of newer browsers makes it. */
function answerOf(credential: PublicKeyCredential): object {
  if ('toJSON' in credential) return credential.toJSON();
  const { id, rawId, type, response } = credential as PublicKeyCredential;
  const { clientDataJSON } = response;
  const answer =
    response instanceof AuthenticatorAttestationResponse
      ? { attestationObject: textOf(response.attestationObject), transports: response.getTransports?.() ?? [] }
      : assertionOf(response as AuthenticatorAssertionResponse);
  return { id, rawId: textOf(rawId), type, response: { clientDataJSON: textOf(clientDataJSON), ...answer } };
}

const assertionOf = ({ authenticatorData, signature, userHandle }: AuthenticatorAssertionResponse) => ({
  authenticatorData: textOf(authenticatorData),
  signature: textOf(signature),
  ...(userHandle ? { userHandle: textOf(userHandle) } : {}),
});

const formToken = (): string => document.querySelector<HTMLMetaElement>('meta[name="form-token"]')?.content ?? '';

/** Asks the server what to ask for, and the browser for a passkey. Throws the text that the server refuses with. */
async function askFor(kind: string, at: string): Promise<object | null> {
  const answer = await fetch(at, { method: 'POST', headers: { 'X-Form-Token': formToken() } });
  const asked = await answer.json();
  if (!answer.ok) throw new Refused(String(asked.error?.message ?? answer.status));
  const made =
    kind === 'create'
      ? await navigator.credentials.create({ publicKey: creationOptions(asked) })
      : await navigator.credentials.get({ publicKey: requestOptions(asked) });
  return made && answerOf(made as PublicKeyCredential);
}

class Refused extends Error {}

/** Shows the forms that a passkey fills in, and sends each with its answer. */
function startPasskeyForms(): void {
  if (!('PublicKeyCredential' in window)) return;
  for (const form of document.querySelectorAll<HTMLFormElement>('form[data-passkey]')) {
    const { passkey = '', at = '', failed = '' } = form.dataset;
    const field = form.querySelector<HTMLInputElement>('input[name="credential"]');
    const said = form.querySelector<HTMLElement>('[role="alert"]');
    if (!field || !said) continue;
    form.hidden = false;
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      said.hidden = true;
      askFor(passkey, at)
        .then((answer) => {
          if (!answer) throw new Error(failed);
          field.value = JSON.stringify(answer);
          form.submit();
        })
        .catch((error) => {
          said.textContent = error instanceof Refused ? error.message : failed;
          said.hidden = false;
        });
    });
  }
}

startPasskeyForms();
