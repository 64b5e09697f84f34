/** Problems that an import shows, and the length of one. */
export const problemsShown = 100;
const problemShown = 500;

export interface Problem {
  path: string;
  message: string;
}

/** As an import shows them. */
export const trimProblems = (problems: readonly Problem[]): Problem[] =>
  problems.slice(0, problemsShown).map(({ path, message }) => ({ path, message: message.slice(0, problemShown) }));
