// The HTTP interface as short Markdown, out of the OpenAPI document: the page reference/api.md has every word.

/** @param document the OpenAPI document. */
export function describeInterface({ paths, components }) {
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) =>
      describeOperation(`${method.toUpperCase()} ${path}`, operation),
    ),
  );
  const schemas = Object.entries(components.schemas).map(
    ([name, schema]) => `### ${name}\n\n${describeFields(schema) || typeOf(schema)}`,
  );
  const intro =
    'Send the API key as `X-API-Key`. Bodies are JSON. `?`: optional. Complete: [reference](/docs/reference/api.md), [errors](/docs/reference/errors.md), [ended reasons](/docs/reference/ended-reasons.md).';
  return ['# HTTP interface', intro, ...operations, '## Schemas', ...schemas].join('\n\n');
}

function describeOperation(route, { summary, parameters = [], requestBody, responses }) {
  const named = parameters.filter(({ name }) => name !== undefined);
  const inputs = named.map(
    ({ name, in: where, required, schema, description }) =>
      `- \`${name}\`${required === true ? '' : '?'} (${where}, ${typeOf(schema)}): ${firstSentence(description)}`,
  );
  const body = requestBody === undefined ? [] : [`- body: ${contentOf(requestBody)}`];
  const answers = Object.entries(responses).filter(([status]) => status.startsWith('2'));
  const outputs = answers.map(([status, response]) => `- ${status}: ${contentOf(response)}`);
  return [`## ${route}`, `${summary}.`, [...inputs, ...body, ...outputs].join('\n')].join('\n\n');
}

function contentOf({ content = {} }) {
  const kinds = Object.entries(content).map(([type, { schema }]) =>
    type === 'application/json' && schema !== undefined ? typeOf(schema) : type,
  );
  return kinds.length === 0 ? 'nothing' : kinds.join(', or ');
}

function describeFields({ properties = {}, required = [] }) {
  return Object.entries(properties)
    .map(([name, field]) => {
      const about = firstSentence(field.description);
      return `- \`${name}\`${required.includes(name) ? '' : '?'} (${typeOf(field)})${about === '' ? '' : `: ${about}`}`;
    })
    .join('\n');
}

const LONGEST_ENUM = 8;

function typeOf(schema = {}) {
  if (schema.$ref !== undefined) return schema.$ref.split('/').at(-1);
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum !== undefined) {
    const shown = schema.enum.slice(0, LONGEST_ENUM).map((value) => JSON.stringify(value));
    return [...shown, ...(schema.enum.length > LONGEST_ENUM ? ['…'] : [])].join(' | ');
  }
  const options = schema.anyOf ?? schema.oneOf;
  if (options !== undefined) return [...new Set(options.map(typeOf))].join(' | ');
  if (Array.isArray(schema.type)) return schema.type.join(' | ');
  if (schema.type === 'array') return `${typeOf(schema.items)}[]`;
  if (schema.type === 'object' && schema.properties !== undefined) {
    return `{${Object.keys(schema.properties).join(', ')}}`;
  }
  return schema.type ?? 'any';
}

function firstSentence(text = '') {
  return /^.*?\.(?=\s|$)/s.exec(text)?.[0] ?? text;
}
