import { isUtf8 } from 'node:buffer';
import { invalid } from '../../../shared/errors.js';

/** The parts of an identity provider's answer that are read before anything in it is trusted. */
export interface SamlAnswer {
  destination?: string;
  /** The last part of the status: `Success`, or the reason why nobody was signed in. */
  status: string;
}

interface Element {
  name: string;
  /** Raw values, by names without prefix. */
  attributes: [name: string, value: string][];
  parent: Element | null;
}

/** Checking a signature takes up to 0.7 ms per element on a busy core. This allows for some hundred groups per person. */
const mostElements = 600;
const mostAttributes = 1200;
const longestAttribute = 4096;
const deepest = 40;
/** The base64 in which the opening tag of the root must end. */
const longestHead = 16 * 1024;

/** XML as identity providers write it: no DOCTYPE, so no entities; no comments, no CDATA, no processing instructions. */
const opening =
  /<([A-Za-z_][\w.:-]*)((?:[ \t\r\n]+[A-Za-z_][\w.:-]*[ \t\r\n]*=[ \t\r\n]*(?:"[^"<]*"|'[^'<]*'))*)[ \t\r\n]*(\/?)>/y;
const closing = /<\/([A-Za-z_][\w.:-]*)[ \t\r\n]*>/y;
const attribute = /([A-Za-z_][\w.:-]*)[ \t\r\n]*=[ \t\r\n]*(?:"([^"<]*)"|'([^'<]*)')/g;
const declaration = /^\uFEFF?(?:<\?xml[ \t\r\n][^<>?]{0,200}\?>)?\s*/;
const stranger = /&(?!(?:amp|lt|gt|quot|apos|#[0-9]{1,7}|#x[0-9a-fA-F]{1,6});)/;

const malformed = (what: string) => invalid(`SAMLResponse: ${what}`);
const localName = (name: string) => name.slice(name.indexOf(':') + 1);

/**
 * Returns the id of the request that the answer in a form field claims to answer, empty without one. It reads no more than the
 * opening tag of the root, so that it takes no longer for a large answer. Throws 400 where no answer begins like this.
 */
export function requestOf(field: string): string {
  const head = Buffer.from(field.slice(0, longestHead), 'base64').toString();
  opening.lastIndex = declaration.exec(head)?.[0].length ?? 0;
  const [, tag = '', attributes = ''] = opening.exec(head) ?? [];
  if (localName(tag) !== 'Response') throw malformed('not a SAML response');
  return attributesOf(attributes).find(([name]) => name === 'InResponseTo')?.[1] ?? '';
}

/** Decodes the base64 of a form field to XML; white space in it is ignored. */
export function decodeAnswer(field: string): string {
  const base64 = field.replace(/\s+/g, '');
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(base64)) throw malformed('not base64');
  const bytes = Buffer.from(base64, 'base64');
  if (!isUtf8(bytes)) throw malformed('not UTF-8');
  return bytes.toString();
}

/** Lists all elements in document order. Its time is linear in the length of any text. */
function elementsOf(xml: string): Element[] {
  if (stranger.test(xml)) throw malformed('has an entity that XML does not define');
  const elements: Element[] = [];
  const open: { element: Element; tag: string }[] = [];
  let held = 0;
  let at = declaration.exec(xml)?.[0].length ?? 0;
  while (at < xml.length) {
    const start = xml.indexOf('<', at);
    const text = xml.slice(at, start < 0 ? xml.length : start);
    if (open.length === 0 && text.trim() !== '') throw malformed('text outside its root');
    if (start < 0) break;
    if (xml[start + 1] === '/') {
      closing.lastIndex = start;
      const tag = closing.exec(xml)?.[1];
      if (tag === undefined || open.pop()?.tag !== tag) throw malformed('not well-formed XML');
      at = closing.lastIndex;
      continue;
    }
    opening.lastIndex = start;
    const [, tag, attributes = '', ending] = opening.exec(xml) ?? [];
    if (tag === undefined || (open.length === 0 && elements.length > 0)) throw malformed('not plain, well-formed XML');
    const element = {
      name: localName(tag),
      attributes: attributesOf(attributes),
      parent: open.at(-1)?.element ?? null,
    };
    elements.push(element);
    held += element.attributes.length;
    if (ending !== '/') open.push({ element, tag });
    if (elements.length > mostElements || held > mostAttributes || open.length > deepest)
      throw malformed('more elements than an answer may have');
    at = opening.lastIndex;
  }
  if (open.length > 0 || elements.length === 0) throw malformed('not well-formed XML');
  return elements;
}

function attributesOf(text: string): Element['attributes'] {
  return [...text.matchAll(attribute)].map(([, name = '', double, single]) => {
    const value = double ?? single ?? '';
    if (value.length > longestAttribute) throw malformed('an attribute that is too long');
    return [localName(name), value];
  });
}

const attributeOf = (element: Element | undefined, name: string) =>
  element?.attributes.find(([given]) => given === name)?.[1];

/** Accepted algorithms: none based on SHA-1, and no transform that selects or rewrites parts. */
const algorithms = new Set([
  'http://www.w3.org/2001/10/xml-exc-c14n#',
  'http://www.w3.org/TR/2001/REC-xml-c14n-20010315',
  'http://www.w3.org/2000/09/xmldsig#enveloped-signature',
  'http://www.w3.org/2001/04/xmlenc#sha256',
  'http://www.w3.org/2001/04/xmlenc#sha512',
  'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256',
  'http://www.w3.org/2001/04/xmldsig-more#rsa-sha512',
  'http://www.w3.org/2007/05/xmldsig-more#sha256-rsa-MGF1',
]);

/** Reads an answer. Throws 400 for every form except the one that can be verified: one signed assertion under the root. */
export function readAnswer(xml: string): SamlAnswer {
  const elements = elementsOf(xml);
  const root = elements[0] as Element;
  if (root.name !== 'Response') throw malformed('not a SAML response');
  const code = elements.find(({ name, parent }) => name === 'StatusCode' && parent?.parent === root);
  const status = attributeOf(code, 'Value')?.split(':').at(-1) ?? '';
  const answer = { status: status.replace(/\W+/g, '').slice(0, 50) };
  if (answer.status === 'Success') checkAssertion(elements, root);
  const destination = attributeOf(root, 'Destination');
  return destination === undefined ? answer : { ...answer, destination };
}

function checkAssertion(elements: Element[], root: Element): void {
  if (elements.some(({ name }) => name === 'EncryptedAssertion'))
    throw malformed('its assertion is encrypted, which is not supported');
  const [assertion, ...others] = elements.filter(({ name }) => name === 'Assertion');
  if (assertion?.parent !== root || others.length > 0) throw malformed('not one assertion under its root');
  const signatures = elements.filter(({ name }) => name === 'Signature').map(({ parent }) => parent);
  if (!signatures.includes(assertion)) throw malformed('its assertion is not signed');
  if (signatures.some((parent, at) => (parent !== root && parent !== assertion) || signatures.indexOf(parent) !== at))
    throw malformed('a signature in an unexpected place');
  const ids = new Set<string>();
  for (const { attributes } of elements)
    for (const [name, value] of attributes) {
      if (name === 'Algorithm' && !algorithms.has(value))
        throw malformed('signed with an algorithm that is not accepted; use RSA with SHA-256 or SHA-512');
      if (name.toLowerCase() !== 'id') continue;
      if (ids.has(value)) throw malformed('two elements with the same ID');
      ids.add(value);
    }
}
