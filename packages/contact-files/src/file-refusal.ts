/** The whole file cannot be taken. */
export class ContactFileRefused extends Error {
  readonly param: 'body' | 'columns' | 'default_country';
  /** What is wrong, after the name of the parameter. */
  readonly problem: string;

  constructor(param: ContactFileRefused['param'], problem: string) {
    super(`${param} ${problem}`);
    this.name = 'ContactFileRefused';
    this.param = param;
    this.problem = problem;
  }
}
