import type { VNode } from 'preact';
import type { OfferedProvider } from '../../identity/contract.js';
import { Notice } from '../elements/elements.js';
import { Button, Field, Form } from '../elements/forms.js';
import { PasskeyForm } from '../elements/passkey-form.js';
import type { Visit } from '../frame/visit.js';
import { fill } from '../words/languages.js';
import { linkCommand } from './link-command.js';
import { nextOf } from './next.js';

/** The ways in that a sign-in screen has. */
export interface WaysIn {
  sendsMail: boolean;
  takesPasskeys: boolean;
  providers: OfferedProvider[];
}

/** All ways to sign in: the first is the one that most people have. */
export function signInForms(visit: Visit, ways: WaysIn): VNode {
  const { words, formToken } = visit;
  const { signIn } = words;
  return (
    <div class="narrow">
      {ways.sendsMail ? (
        <Form token={formToken} action="link" class="panel">
          <Field label={signIn.email} name="email" type="email" autocomplete="email" required maxLength={254} />
          <Button kind="primary">{signIn.sendLink}</Button>
        </Form>
      ) : (
        <Notice>{fill(signIn.noMail, linkCommand)}</Notice>
      )}
      {ways.takesPasskeys && passkeyForm(visit)}
      {singleSignOn(visit, ways.providers)}
      <details class="panel" open={!ways.sendsMail}>
        <summary>{signIn.withToken}</summary>
        <Form token={formToken} action="token">
          <Field
            label={signIn.token}
            name="api-token"
            type="password"
            autocomplete="off"
            required
            maxLength={200}
            hint={signIn.tokenHint}
          />
          <Button>{signIn.confirm}</Button>
        </Form>
      </details>
    </div>
  );
}

const passkeyForm = ({ words: { signIn }, formToken, to }: Visit) => (
  <PasskeyForm
    token={formToken}
    action="passkey"
    asks="get"
    at={to.signInPasskey}
    failed={signIn.passkeyFailed}
    class="panel"
  >
    <Button>{signIn.withPasskey}</Button>
  </PasskeyForm>
);

/** The providers that are offered, and a way to those of the organization of an address. */
function singleSignOn({ words: { signIn }, url, to }: Visit, providers: OfferedProvider[]): VNode {
  const next = nextOf(url.searchParams.get('next'), to);
  const asked = url.searchParams.get('email');
  return (
    <section class="panel" aria-labelledby="single-sign-on">
      <h2 id="single-sign-on">{signIn.singleSignOn}</h2>
      {providers.map(({ label, organization, startURL }) => (
        <p>
          <a class="button" href={next === to.home ? startURL : `${startURL}?next=${encodeURIComponent(next)}`}>
            {fill(signIn.continueWith, label)}
          </a>{' '}
          <small class="hint-text">{organization}</small>
        </p>
      ))}
      {asked && providers.length === 0 && <p role="status">{signIn.noProvider}</p>}
      <form action={to.signIn} class="inline">
        {next !== to.home && <input type="hidden" name="next" value={next} />}
        <p class="form-field">
          <label for="field-work-email">{signIn.workEmail}</label>
          <input id="field-work-email" name="email" type="email" value={asked ?? ''} required maxLength={254} />
        </p>
        <button type="submit" class="button">
          {signIn.findProvider}
        </button>
      </form>
    </section>
  );
}
