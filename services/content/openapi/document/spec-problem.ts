/** Why a text is not a specification that is taken, for people. */
export class SpecProblem extends Error {
  override readonly name = 'SpecProblem';
}
