import { isUtf8 } from 'node:buffer';
import { SaxesParser } from 'saxes';
import { invalid } from '../../../shared/errors/errors.js';

/** The parts of an identity provider's answer that are read before anything in it is trusted. */
export interface SamlAnswer {
  destination?: string;
  /** The last part of the status: `Success`, or the reason why nobody was signed in. */
  status: string;
}

interface Element {
  name: string;
  /** Values by names without prefix. */
  attributes: [name: string, value: string][];
  parent: Element | null;
}

/** Checking a signature takes up to 0.7 ms per element on a busy core. This allows for some hundred groups per person. */
const maxElements = 600;
const maxAttributes = 1200;
const maxAttributeLength = 4096;
const maxDepth = 40;
/** The base64 in which the opening tag of the root must end. */
const maxHeadLength = 16 * 1024;

const malformedError = (what: string) => invalid(`SAMLResponse: ${what}`);
const withoutXmlPrefix = (name: string) => name.slice(name.indexOf(':') + 1);

/** Identity providers write none of these. A comment, for one, could cut a name in two for another reader of the same text. */
const faults = ['error', 'doctype', 'comment', 'cdata', 'processinginstruction'] as const;

/** Named entities stay as they are written: no name or address of SAML has one, and a status is shown to people. */
const entities = { __proto__: null as never, amp: '&amp;', lt: '&lt;', gt: '&gt;', quot: '&quot;', apos: '&apos;' };

/** Calls `opened` with each element in document order. Throws 400 at the first fault; the time is linear in the length of any text. */
function newAnswerParser(opened: (element: Element, depth: number) => void): SaxesParser {
  const parser = new SaxesParser({ position: false, defaultXMLVersion: '1.0', forceXMLVersion: true });
  parser.ENTITIES = entities;
  const parents: Element[] = [];
  for (const fault of faults)
    parser.on(fault, () => {
      throw malformedError('not plain, well-formed XML');
    });
  parser.on('opentag', ({ name, attributes, isSelfClosing }) => {
    const parent = parents.at(-1) ?? null;
    const element = {
      name: withoutXmlPrefix(name),
      attributes: readAttributes(attributes as Record<string, string>),
      parent,
    };
    parents.push(element);
    opened(element, isSelfClosing ? parents.length - 1 : parents.length);
  });
  parser.on('closetag', () => {
    parents.pop();
  });
  return parser;
}

function readAttributes(attributes: Record<string, string>): Element['attributes'] {
  return Object.entries(attributes).map(([name, value]) => {
    if (value.length > maxAttributeLength) throw malformedError('an attribute that is too long');
    return [withoutXmlPrefix(name), value];
  });
}

/**
 * Returns the id of the request that the answer in a form field claims to answer, empty without one. It reads no more than the
 * opening tag of the root, so that it takes no longer for a large answer. Throws 400 where no answer begins like this.
 */
export function readRequestId(field: string): string {
  let root: Element | undefined;
  const parser = newAnswerParser((element) => {
    root ??= element;
  });
  try {
    parser.write(Buffer.from(field.slice(0, maxHeadLength), 'base64').toString());
  } catch {
    // Only what stands before a fault counts here: `readAnswer` refuses the whole answer.
  }
  if (root?.name !== 'Response') throw malformedError('not a SAML response');
  return attributeValue(root, 'InResponseTo') ?? '';
}

/** Decodes the base64 of a form field to XML; white space in it is ignored. */
export function decodeAnswer(field: string): string {
  const base64 = field.replace(/\s+/g, '');
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(base64)) throw malformedError('not base64');
  const bytes = Buffer.from(base64, 'base64');
  if (!isUtf8(bytes)) throw malformedError('not UTF-8');
  return bytes.toString();
}

/** Lists all elements in document order. */
function parseElements(xml: string): [Element, ...Element[]] {
  const elements: Element[] = [];
  let attributes = 0;
  const parser = newAnswerParser((element, depth) => {
    elements.push(element);
    attributes += element.attributes.length;
    if (elements.length > maxElements || attributes > maxAttributes || depth > maxDepth)
      throw malformedError('more elements than an answer may have');
  });
  parser.write(xml).close();
  // Saxes has refused a document without a root.
  return elements as [Element, ...Element[]];
}

const attributeValue = (element: Element | undefined, name: string) =>
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
  const elements = parseElements(xml);
  const [root] = elements;
  if (root.name !== 'Response') throw malformedError('not a SAML response');
  const code = elements.find(({ name, parent }) => name === 'StatusCode' && parent?.parent === root);
  const status = attributeValue(code, 'Value')?.split(':').at(-1) ?? '';
  const answer = { status: status.replace(/\W+/g, '').slice(0, 50) };
  if (answer.status === 'Success') checkAssertion(elements, root);
  const destination = attributeValue(root, 'Destination');
  return destination === undefined ? answer : { ...answer, destination };
}

function checkAssertion(elements: Element[], root: Element): void {
  if (elements.some(({ name }) => name === 'EncryptedAssertion'))
    throw malformedError('its assertion is encrypted, which is not supported');
  const [assertion, ...others] = elements.filter(({ name }) => name === 'Assertion');
  if (assertion?.parent !== root || others.length > 0) throw malformedError('not one assertion under its root');
  const signatures = elements.filter(({ name }) => name === 'Signature').map(({ parent }) => parent);
  if (!signatures.includes(assertion)) throw malformedError('its assertion is not signed');
  if (signatures.some((parent, at) => (parent !== root && parent !== assertion) || signatures.indexOf(parent) !== at))
    throw malformedError('a signature in an unexpected place');
  const ids = new Set<string>();
  for (const { attributes } of elements)
    for (const [name, value] of attributes) {
      if (name === 'Algorithm' && !algorithms.has(value))
        throw malformedError('signed with an algorithm that is not accepted; use RSA with SHA-256 or SHA-512');
      if (name.toLowerCase() !== 'id') continue;
      if (ids.has(value)) throw malformedError('two elements with the same ID');
      ids.add(value);
    }
}
