/** Documents as clients send them in comments. */
export const leaf = (text: unknown, ...marks: string[]) => ({
  object: 'leaf',
  text,
  marks: marks.map((type) => ({ object: 'mark', type })),
});

export const text = (value: unknown, ...marks: string[]) => ({ object: 'text', leaves: [leaf(value, ...marks)] });

export const block = (type: string, nodes: unknown[] = [text('a')], data: object = {}) => ({
  object: 'block',
  type,
  isVoid: false,
  data,
  nodes,
});

export const inline = (type: string, data: object, nodes: unknown[] = [text('a')]) => ({
  object: 'inline',
  type,
  isVoid: false,
  data,
  nodes,
});

export const link = (url: unknown) => inline('link', { ref: { kind: 'url', url } });

export const mention = (user: unknown) => ({
  ...inline('mention', { ref: { kind: 'user', user } }, []),
  isVoid: true,
});

export const documentOf = (...nodes: unknown[]) => ({ document: { object: 'document', nodes } });

/** A document of one paragraph. */
export const paragraphOf = (...nodes: unknown[]) => documentOf(block('paragraph', nodes));
