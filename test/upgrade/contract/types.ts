import ts from 'typescript';
import type { Schema } from './schema.js';

/** Turns TypeScript types into JSON Schemas; types with a name become definitions. */
export class TypeSchemas {
  private readonly names = new Map<ts.Type, string>();
  private defs: Record<string, Schema> = {};

  constructor(private readonly checker: ts.TypeChecker) {}

  /** A schema with the definitions that it needs. */
  of(type: ts.Type): Schema {
    this.names.clear();
    this.defs = {};
    const schema = this.schema(type);
    return { ...schema, $defs: this.defs };
  }

  private schema(type: ts.Type): Schema {
    const { flags } = type;
    if (type.isStringLiteral() || type.isNumberLiteral()) return { const: type.value };
    if (flags & ts.TypeFlags.BooleanLiteral) return { const: this.checker.typeToString(type) === 'true' };
    if (flags & ts.TypeFlags.Null) return { type: 'null' };
    if (flags & ts.TypeFlags.StringLike) return { type: 'string' };
    if (flags & ts.TypeFlags.NumberLike) return { type: 'number' };
    if (flags & ts.TypeFlags.BooleanLike) return { type: 'boolean' };
    if (type.isUnion()) return this.union(type.types);
    if (flags & ts.TypeFlags.Object || type.isIntersection()) return this.object(type);
    return {};
  }

  /** Without `undefined`, which a field that may be missing has. */
  private union(types: ts.Type[]): Schema {
    const members = types.filter(({ flags }) => !(flags & (ts.TypeFlags.Undefined | ts.TypeFlags.Void)));
    const isLiteral = (type: ts.Type) => type.isStringLiteral() || type.isNumberLiteral();
    const values = members.filter(isLiteral).map((type) => (type as ts.LiteralType).value);
    const others = members.filter((type) => !isLiteral(type));
    const isBoolean = ({ flags }: ts.Type) => (flags & ts.TypeFlags.BooleanLiteral) !== 0;
    const both = others.filter(isBoolean).length === 2;
    const schemas = [
      ...(values.length > 0 ? [{ enum: values }] : []),
      ...(both ? [{ type: 'boolean' }] : []),
      ...others.filter((type) => !(both && isBoolean(type))).map((type) => this.schema(type)),
    ];
    return schemas.length === 1 ? (schemas[0] as Schema) : { anyOf: schemas };
  }

  private object(type: ts.Type): Schema {
    if (this.checker.isTupleType(type))
      return { type: 'array', prefixItems: this.argumentsOf(type).map((each) => this.schema(each)) };
    if (this.checker.isArrayType(type))
      return { type: 'array', items: this.schema(this.argumentsOf(type)[0] as ts.Type) };
    if (this.isForeign(type)) return {};
    const known = this.names.get(type);
    if (known) return { $ref: `#/$defs/${known}` };
    const name = this.freeName((type.aliasSymbol ?? type.symbol)?.name.replace(/\W|^__/g, '') || 'type');
    this.names.set(type, name);
    this.defs[name] = {};
    this.defs[name] = this.fields(type);
    return { $ref: `#/$defs/${name}` };
  }

  /** Types of the platform and of libraries, such as `Buffer`. */
  private isForeign = ({ symbol }: ts.Type) =>
    symbol?.declarations?.every((each) => each.getSourceFile().fileName.includes('/node_modules/')) === true &&
    !symbol.name.startsWith('__');

  private freeName(name: string): string {
    for (let n = 1; ; n++) {
      const free = n === 1 ? name : `${name}${n}`;
      if (!Object.hasOwn(this.defs, free)) return free;
    }
  }

  private argumentsOf = (type: ts.Type) => this.checker.getTypeArguments(type as ts.TypeReference);

  private fields(type: ts.Type): Schema {
    const properties: Record<string, Schema> = {};
    const required: string[] = [];
    for (const property of this.checker.getPropertiesOfType(type)) {
      const of = this.checker.getTypeOfSymbol(property);
      if (of.getCallSignatures().length > 0) continue;
      properties[property.name] = this.schema(of);
      if (!isOptional(property, of)) required.push(property.name);
    }
    const rest = type.getStringIndexType();
    return { type: 'object', properties, required, ...(rest ? { additionalProperties: this.schema(rest) } : {}) };
  }
}

const isOptional = (property: ts.Symbol, type: ts.Type) =>
  (property.flags & ts.SymbolFlags.Optional) !== 0 ||
  (type.flags & (ts.TypeFlags.Undefined | ts.TypeFlags.Void)) !== 0 ||
  (type.isUnion() && type.types.some(({ flags }) => flags & ts.TypeFlags.Undefined));
