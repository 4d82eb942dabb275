// The tokens of Python 3.11, without layout: INDENT, DEDENT, the joining of lines and the soft keywords are the work of
// src/syntax/indent.cpp, which reads what this lexer makes of the text.
//
// No action, no predicate, and no character above U+007F: ANTLR caches nothing else. The character stream shows each byte
// of a non-ASCII character as DEL (U+007F), so a name with DEL in it is looked at again, off the fast path.
// Every text has tokens: what is wrong with it becomes UNTERMINATED_... or BAD, and a diagnostic later.
lexer grammar PykLexer;

// Not matched by a rule here: indent.cpp makes them.
tokens { INDENT, DEDENT, MATCH, CASE }

NEWLINE : '\r' '\n'? | '\n' ;

// --- names (a keyword stands before NAME: of two rules that match the same text the first wins) ---------------------
FALSE : 'False' ;
NONE : 'None' ;
TRUE : 'True' ;
AND : 'and' ;
AS : 'as' ;
ASSERT : 'assert' ;
ASYNC : 'async' ;
AWAIT : 'await' ;
BREAK : 'break' ;
CLASS : 'class' ;
CONTINUE : 'continue' ;
DEF : 'def' ;
DEL : 'del' ;
ELIF : 'elif' ;
ELSE : 'else' ;
EXCEPT : 'except' ;
FINALLY : 'finally' ;
FOR : 'for' ;
FROM : 'from' ;
GLOBAL : 'global' ;
IF : 'if' ;
IMPORT : 'import' ;
IN : 'in' ;
IS : 'is' ;
LAMBDA : 'lambda' ;
NONLOCAL : 'nonlocal' ;
NOT : 'not' ;
OR : 'or' ;
PASS : 'pass' ;
RAISE : 'raise' ;
RETURN : 'return' ;
TRY : 'try' ;
WHILE : 'while' ;
WITH : 'with' ;
YIELD : 'yield' ;
NAME : [A-Za-z_] [A-Za-z0-9_]* ;
UNICODE_NAME : [A-Za-z_\u007F] [A-Za-z0-9_\u007F]* ;

// --- numbers (that a decimal integer has no leading zero, and that nothing sticks to a number, is checked later) -------
NUMBER
    : '0' [xX] ('_'? [0-9a-fA-F])+
    | '0' [oO] ('_'? [0-7])+
    | '0' [bB] ('_'? [01])+
    | DIGITS [jJ]?
    | (DIGITS '.' DIGITS? | '.' DIGITS) EXPONENT? [jJ]?
    | DIGITS EXPONENT [jJ]?
    ;
fragment DIGITS : [0-9] ('_'? [0-9])* ;
fragment EXPONENT : [eE] [+-]? DIGITS ;

// --- strings (an f-string is one token) -----------------------------------------------------------------------------
STRING
    : PREFIX? '\'' (~['\\\r\n] | ESCAPED)* '\''
    | PREFIX? '"' (~["\\\r\n] | ESCAPED)* '"'
    | PREFIX? '\'\'\'' IN_SINGLE* '\'\'\''
    | PREFIX? '"""' IN_DOUBLE* '"""'
    ;
UNTERMINATED_STRING
    : PREFIX? '\'' (~['\\\r\n] | ESCAPED)* '\\'?
    | PREFIX? '"' (~["\\\r\n] | ESCAPED)* '\\'?
    ;
UNTERMINATED_TRIPLE
    : PREFIX? '\'\'\'' IN_SINGLE* ('\'' '\''? | '\\')?
    | PREFIX? '"""' IN_DOUBLE* ('"' '"'? | '\\')?
    ;
fragment PREFIX : [uUbBrRfF] | [bBfF] [rR] | [rR] [bBfF] ;
fragment ESCAPED : '\\' ('\r' '\n'? | ~'\r') ;
fragment IN_SINGLE : ('\'' '\''?)? (~['\\] | '\\' .) ;
fragment IN_DOUBLE : ('"' '"'?)? (~["\\] | '\\' .) ;

// --- operators and delimiters ----------------------------------------------------------------------------------------
LPAR : '(' ;
RPAR : ')' ;
LSQB : '[' ;
RSQB : ']' ;
LBRACE : '{' ;
RBRACE : '}' ;
COLON : ':' ;
COMMA : ',' ;
SEMI : ';' ;
DOT : '.' ;
ELLIPSIS : '...' ;
ARROW : '->' ;
WALRUS : ':=' ;
AT : '@' ;
PLUS : '+' ;
MINUS : '-' ;
STAR : '*' ;
DOUBLESTAR : '**' ;
SLASH : '/' ;
DOUBLESLASH : '//' ;
PERCENT : '%' ;
VBAR : '|' ;
AMPER : '&' ;
CARET : '^' ;
TILDE : '~' ;
LSHIFT : '<<' ;
RSHIFT : '>>' ;
LESS : '<' ;
GREATER : '>' ;
LESSEQUAL : '<=' ;
GREATEREQUAL : '>=' ;
EQEQUAL : '==' ;
NOTEQUAL : '!=' ;
ASSIGN : '=' ;
PLUSEQUAL : '+=' ;
MINEQUAL : '-=' ;
STAREQUAL : '*=' ;
SLASHEQUAL : '/=' ;
DOUBLESLASHEQUAL : '//=' ;
PERCENTEQUAL : '%=' ;
ATEQUAL : '@=' ;
AMPEREQUAL : '&=' ;
VBAREQUAL : '|=' ;
CARETEQUAL : '^=' ;
LSHIFTEQUAL : '<<=' ;
RSHIFTEQUAL : '>>=' ;
DOUBLESTAREQUAL : '**=' ;

// --- what separates tokens -------------------------------------------------------------------------------------------
SPACE : [ \t\f]+ -> skip ;
COMMENT : '#' ~[\r\n]* -> skip ;
JOINED_LINE : '\\' ('\r' '\n'? | '\n') -> skip ;
BAD : . ;
