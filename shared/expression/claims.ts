import type { Expression, Node } from './syntax.js';

/**
 * The claims that an expression may read, as sorted dotted paths under `visitor.claims`, without repeats: `plan`,
 * `unsigned.beta`, `company.name`. A trailing `length` and items of an array are left out; `*` (`unsigned.*`) stands for
 * a name that is computed.
 */
export function claimsReadBy(expression: Expression): string[] {
  const found = new Set<string>();
  collectClaims(expression.tree, found);
  return [...found].sort();
}

function collectClaims(node: Node, found: Set<string>): void {
  const path = visitorPath(node);
  if (path) {
    addClaim(path, found);
    collectKeys(node, found);
    return;
  }
  if (node.kind === 'binary' && node.operator === 'in' && node.left.kind === 'literal') {
    const container = visitorPath(node.right);
    if (container) {
      addClaim([...container, String(node.left.value)], found);
      collectKeys(node.right, found);
      return;
    }
  }
  for (const part of childNodes(node)) collectClaims(part, found);
}

/** Collects the claims that compute the keys of a path: `visitor.claims[visitor.claims.which]`. */
function collectKeys(node: Node, found: Set<string>): void {
  if (node.kind === 'chain') collectKeys(node.inner, found);
  if (node.kind !== 'member') return;
  collectKeys(node.object, found);
  collectClaims(node.key, found);
}

function addClaim([claims, ...path]: readonly (string | null)[], found: Set<string>): void {
  if (claims !== 'claims' && claims !== undefined && claims !== null) return;
  const inner = path[0] === 'unsigned' ? 1 : 0;
  const names: string[] = [];
  for (const [index, name] of path.entries()) {
    if (name === null || (index > inner && (name === 'length' || /^\d+$/.test(name)))) break;
    names.push(name);
  }
  const container = names.length === 0 || (names.length === 1 && names[0] === 'unsigned');
  found.add([...names, ...(container ? ['*'] : [])].join('.'));
}

/** The names from `visitor` to a node, null for a computed one; undefined when the node does not read from `visitor`. */
function visitorPath(node: Node): (string | null)[] | undefined {
  if (node.kind === 'chain') return visitorPath(node.inner);
  if (node.kind === 'root') return node.name === 'visitor' ? [] : undefined;
  if (node.kind !== 'member') return undefined;
  const path = visitorPath(node.object);
  return path && [...path, node.key.kind === 'literal' ? String(node.key.value) : null];
}

function childNodes(node: Node): readonly Node[] {
  switch (node.kind) {
    case 'literal':
    case 'root':
    case 'parameter':
      return [];
    case 'array':
      return node.items;
    case 'template':
      return node.values;
    case 'unary':
      return [node.operand];
    case 'binary':
    case 'logical':
      return [node.left, node.right];
    case 'choice':
      return [node.test, node.whenTrue, node.whenFalse];
    case 'member':
      return [node.object, node.key];
    case 'call':
      return [node.object, ...node.args];
    case 'each':
      return [node.object, node.body];
    case 'chain':
      return [node.inner];
  }
}
