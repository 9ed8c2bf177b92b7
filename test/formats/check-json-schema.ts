/** As much of JSON Schema 2020-12 as our schemas use, written apart from what writes them. */
export interface JsonSchema {
  $ref?: string;
  $defs?: Record<string, JsonSchema>;
  type?: string | string[];
  const?: unknown;
  enum?: unknown[];
  anyOf?: JsonSchema[];
  oneOf?: JsonSchema[];
  properties?: Record<string, JsonSchema>;
  required?: string[];
  additionalProperties?: boolean;
  prefixItems?: JsonSchema[];
  items?: JsonSchema | false;
  minItems?: number;
  maxItems?: number;
  minimum?: number;
  maximum?: number;
  exclusiveMinimum?: number;
  exclusiveMaximum?: number;
  pattern?: string;
  $schema?: string;
  title?: string;
  description?: string;
  format?: string;
}

const known: ReadonlySet<string> = new Set<keyof JsonSchema>([
  ...(['$ref', '$defs', 'type', 'const', 'enum', 'anyOf', 'oneOf'] as const),
  ...(['properties', 'required', 'additionalProperties'] as const),
  ...(['prefixItems', 'items', 'minItems', 'maxItems'] as const),
  ...(['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'pattern'] as const),
  ...(['$schema', 'title', 'description', 'format'] as const),
]);

/** Places of a value that the schema forbids; none for a valid one. */
export function listSchemaFaults(
  value: unknown,
  schema: JsonSchema,
  root: JsonSchema = schema,
  at = '$',
): string[] {
  const unknown = Object.keys(schema).filter((keyword) => !known.has(keyword));
  if (unknown.length > 0) throw new Error(`${at}: this check does not know ${unknown}`);
  const inner = (part: unknown, of: JsonSchema, place = at) =>
    listSchemaFaults(part, of, root, place);
  const faults = [...checkItself(value, schema, at)];
  if (schema.$ref !== undefined) {
    const definition = root.$defs?.[schema.$ref.replace('#/$defs/', '')];
    if (definition === undefined) throw new Error(`${at}: no ${schema.$ref}`);
    faults.push(...inner(value, definition));
  }
  const matches = (schemas: JsonSchema[]) =>
    schemas.filter((one) => inner(value, one).length === 0).length;
  if (schema.anyOf && matches(schema.anyOf) === 0) faults.push(`${at}: none of the forms`);
  if (schema.oneOf && matches(schema.oneOf) !== 1) faults.push(`${at}: not one of the forms`);
  if (Array.isArray(value)) {
    const { prefixItems = [], items } = schema;
    const rest = value.slice(prefixItems.length);
    if (items === false && rest.length > 0) faults.push(`${at}: too many`);
    prefixItems.forEach((one, index) => {
      faults.push(...inner(value[index], one, `${at}[${index}]`));
    });
    rest.forEach((one, index) => {
      if (items) faults.push(...inner(one, items, `${at}[${prefixItems.length + index}]`));
    });
  } else if (typeof value === 'object' && value !== null) {
    const { properties = {}, required = [], additionalProperties } = schema;
    for (const name of required) if (!(name in value)) faults.push(`${at}.${name}: missing`);
    for (const [name, part] of Object.entries(value)) {
      const property = properties[name];
      if (property) faults.push(...inner(part, property, `${at}.${name}`));
      else if (additionalProperties === false) faults.push(`${at}.${name}: unknown`);
    }
  }
  return faults;
}

/** The keywords that look no deeper. */
function checkItself(value: unknown, schema: JsonSchema, at: string): string[] {
  const faults: string[] = [];
  const must = (holds: boolean) => {
    if (!holds) faults.push(`${at}: ${JSON.stringify(value)}`);
  };
  if (schema.type !== undefined) must([schema.type].flat().some((type) => isOf(type, value)));
  if ('const' in schema) must(value === schema.const);
  if (schema.enum) must(schema.enum.includes(value));
  if (typeof value === 'number') {
    if (schema.minimum !== undefined) must(value >= schema.minimum);
    if (schema.maximum !== undefined) must(value <= schema.maximum);
    if (schema.exclusiveMinimum !== undefined) must(value > schema.exclusiveMinimum);
    if (schema.exclusiveMaximum !== undefined) must(value < schema.exclusiveMaximum);
  }
  if (typeof value === 'string' && schema.pattern) must(new RegExp(schema.pattern).test(value));
  if (Array.isArray(value)) {
    if (schema.minItems !== undefined) must(value.length >= schema.minItems);
    if (schema.maxItems !== undefined) must(value.length <= schema.maxItems);
  }
  return faults;
}

function isOf(type: string, value: unknown): boolean {
  if (type === 'null') return value === null;
  if (type === 'array') return Array.isArray(value);
  if (type === 'integer') return Number.isInteger(value);
  if (type === 'object')
    return typeof value === 'object' && value !== null && !Array.isArray(value);
  return typeof value === type;
}
