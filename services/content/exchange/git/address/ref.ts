const MAX_LENGTH = 1024;

/** Whether `ref` holds the commits of a pull request, as hosts name it. */
export const isPullRef = (ref: string): boolean => /^refs\/(pull|merge-requests)\/\d{1,9}\/head$/.test(ref);

/** Whether `ref` is `refs/heads/<branch>` with a name that git accepts (the rules of git check-ref-format --branch). */
export function isValidRef(ref: string): boolean {
  const prefix = 'refs/heads/';
  if (!ref.startsWith(prefix) || ref.length > MAX_LENGTH) return false;
  const branch = ref.slice(prefix.length);
  if (branch === 'HEAD' || branch.startsWith('-') || branch.endsWith('.')) return false;
  if (branch.includes('..') || branch.includes('@{')) return false;
  for (let i = 0; i < branch.length; i++) {
    const code = branch.charCodeAt(i);
    if (code <= 0x20 || code === 0x7f || '~^:?*[\\'.includes(branch.charAt(i))) return false;
  }
  return branch.split('/').every((part) => part !== '' && !part.startsWith('.') && !part.endsWith('.lock'));
}
