/**
 * An answer as a later server may send it: a text that is one of several known ones may be another one.
 * `string & {}` keeps the known ones in an editor's proposals. A text with one value names a shape, and stays.
 */
export type Open<Value> = OpenText<Extract<Value, string>> | OpenRest<Exclude<Value, string>>;

type OpenText<Text extends string> = [Text] extends [never]
  ? never
  : string extends Text
    ? Text
    : IsUnion<Text> extends true
      ? Text | (string & {})
      : Text;

type OpenRest<Value> = Value extends readonly (infer Item)[]
  ? Open<Item>[]
  : Value extends object
    ? { [Name in keyof Value]: Open<Value[Name]> }
    : Value;

type IsUnion<Value, All = Value> = Value extends unknown ? ([All] extends [Value] ? false : true) : never;
