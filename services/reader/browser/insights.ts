import { element, onClick, recall, remember } from './elements.js';
import { facts, word } from './page-facts.js';

/** Signals of browsers whose readers want no tracking. */
const { doNotTrack, globalPrivacyControl } = navigator as Navigator & { globalPrivacyControl?: boolean };
const isUnwanted = doNotTrack === '1' || globalPrivacyControl === true;

/** Reports an event of the page; nothing where the site or the reader does not want it. */
export function report(type: string, about: Record<string, unknown> = {}): void {
  if (!facts.insights || isUnwanted) return;
  const event = { type, page: facts.page, path: location.pathname, referrer: document.referrer || undefined, ...about };
  navigator.sendBeacon(`${facts.base}~insights`, JSON.stringify(event));
}

const visitorCookie = 'bindery-visitor';
const yearSeconds = 31_536_000;

function setVisitorCookie(): void {
  if (document.cookie.includes(`${visitorCookie}=`)) return;
  const id = [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('');
  const secure = location.protocol === 'https:' ? '; secure' : '';
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is not in every browser.
  document.cookie = `${visitorCookie}=${id}; path=${facts.base}; max-age=${yearSeconds}; samesite=lax${secure}`;
}

/** Asks whether a cookie may tell readers apart; without an answer there is none. */
function askForCookie(): void {
  const button = (key: string, answer: string, className: string) => {
    const made = element('button', { type: 'button', class: className }, word(key));
    made.addEventListener('click', () => {
      remember('cookies', answer);
      notice.remove();
      if (answer === 'yes') setVisitorCookie();
    });
    return made;
  };
  const text = element('p', {}, `${word('cookiesText')} `);
  if (facts.privacy) text.append(element('a', { href: facts.privacy }, word('privacyPolicy')));
  const notice = element(
    'section',
    { class: 'cookie-notice', 'aria-label': word('cookiesText') },
    text,
    button('reject', 'no', 'button'),
    button('accept', 'yes', 'button button-primary'),
  );
  document.body.append(notice);
}

/** The part of the page that a link is in; hints within the text are `aside`, too, and its title is a `header`. */
function placeOf(link: Element): string {
  if (link.closest('main')) return 'main';
  if (link.closest('body > :is(header, aside)')) return 'header';
  return link.closest('body > footer') ? 'footer' : 'nav';
}

export function startInsights(): void {
  if (!facts.insights || isUnwanted) return;
  if (facts.cookie) {
    const answer = recall('cookies');
    if (answer === 'yes') setVisitorCookie();
    else if (answer !== 'no') askForCookie();
  }
  report('page_view');
  onClick('a[href]', (link) => {
    const { href, origin } = link as HTMLAnchorElement;
    if (origin === location.origin) return;
    report('link_click', { href, place: placeOf(link) });
  });
}

/** Sends feedback without leaving the page, then asks for a comment. */
export function startFeedback(): void {
  const form = document.querySelector<HTMLFormElement>('form.feedback');
  const status = form?.querySelector('[role="status"]');
  if (!form || !status) return;
  let rating = '';
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    const { submitter } = event;
    if (submitter instanceof HTMLButtonElement && submitter.name === 'rating') rating = submitter.value;
    const fields = new URLSearchParams([...new FormData(form)].map(([name, value]) => [name, String(value)]));
    fields.set('rating', rating);
    try {
      const answer = await fetch(form.action, {
        method: 'POST',
        body: fields,
        headers: { Accept: 'application/json' },
      });
      if (!answer.ok) throw new Error(String(answer.status));
      for (const button of form.querySelectorAll('button[name="rating"]'))
        button.setAttribute('aria-pressed', String(button.getAttribute('value') === rating));
      status.textContent = word('feedbackThanks');
      const comment = form.querySelector('.comment');
      if (fields.get('comment')) comment?.remove();
      else if (!comment) form.append(commentField());
    } catch {
      status.textContent = word('error');
    }
  });
}

const maxComment = 2000;

const commentField = () =>
  element(
    'div',
    { class: 'comment' },
    element(
      'label',
      {},
      word('feedbackComment'),
      element('textarea', { name: 'comment', maxlength: String(maxComment) }),
    ),
    element('button', { type: 'submit', class: 'button button-primary' }, word('send')),
  );
