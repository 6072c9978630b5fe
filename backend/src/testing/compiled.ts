import type { TestedOptions, TestedProgram } from './tested-program.js';

/** What node-environment.cjs gives to every suite. */
interface CompiledProgram {
  import(path: string): Promise<unknown>;
  start(environment: NodeJS.ProcessEnv, options: TestedOptions): Promise<TestedProgram>;
}

const { compiledProgram } = globalThis as unknown as { readonly compiledProgram: CompiledProgram };

/**
 * A module of the compiled program, loaded once per Jest worker outside of Jest's modules. Its classes and symbols are not those that a spec imports.
 * @param path below backend/dist
 */
export const compiled = <Compiled>(path: string): Promise<Compiled> => compiledProgram.import(path) as Promise<Compiled>;

/** Starts the compiled program in this worker. The suite must stop it. */
export const startCompiled = (environment: NodeJS.ProcessEnv, options: TestedOptions = {}): Promise<TestedProgram> =>
  compiledProgram.start(environment, options);
